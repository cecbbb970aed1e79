import { openProcess } from '@mailstead/adapters/service-process';
import { failToStart, stopOnSignal } from '@mailstead/adapters/stop-on-signal';

/** The worker process: consumes the queues and runs the schedules. Any number may run; each job and period is one's only. */
async function main(): Promise<void> {
  const service = await openProcess('worker');
  service.startJobs();
  stopOnSignal(service.logger, () => service.close());
  service.logger.info('working');
}

main().catch(failToStart);
