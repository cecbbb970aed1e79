import { readConfig } from '@mailstead/adapters/config';
import { openProcess, type ServiceProcess } from '@mailstead/adapters/service-process';
import { TextStream } from '@mailstead/core/testing/text-stream';
import { DEADLINE_FACTOR } from '../../../../scripts/test-timeout.mjs';

/** A worker in the process of the test, which does not load it again. For tests that do not kill it. */
export class WorkerInProcess {
  private constructor(private readonly service: ServiceProcess) {}

  /** @param environment the environment; only the factor of deadlines is added */
  static async start(environment: Record<string, string>): Promise<WorkerInProcess> {
    const settings = readConfig({ DEADLINE_FACTOR: String(DEADLINE_FACTOR), ...environment });
    const service = await openProcess('worker', { settings, output: new TextStream() });
    service.startJobs();
    return new WorkerInProcess(service);
  }

  async end(): Promise<void> {
    this.service.shutdown.begin();
    await this.service.close();
  }
}
