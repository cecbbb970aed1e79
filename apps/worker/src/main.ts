import { once } from 'node:events';
import { ServiceMetrics } from '@mailstead/adapters/metrics/service-metrics';
import { openProcess } from '@mailstead/adapters/service-process';
import { failToStart, stopOnSignal } from '@mailstead/adapters/stop-on-signal';
import { listening } from '@mailstead/core/settings/listening';
import { createWorkerServer } from './worker-server.js';

/**
 * The worker process. Runs the jobs and the schedules. Any number of workers may run: only one of them runs a job, or a
 * period of a schedule.
 */
async function main(): Promise<void> {
  const service = await openProcess('worker');
  const { workerPort, host } = service.config;
  const server =
    workerPort === null
      ? null
      : createWorkerServer(service, service.container.get(ServiceMetrics)).listen(workerPort, host);
  if (server !== null) await listening('WORKER_PORT, HOST', () => once(server, 'listening'));
  service.startJobs();
  stopOnSignal(service, async () => {
    await service.close();
    server?.close();
    server?.closeAllConnections();
  });
  service.logger.info('working');
}

main().catch(failToStart);
