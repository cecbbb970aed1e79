import { readConfig } from '@mailstead/adapters/config';
import { openProcess, type ServiceProcess } from '@mailstead/adapters/service-process';
import type { Program } from '@mailstead/core/testing/child';
import { TextStream } from '@mailstead/core/testing/text-stream';
import { until } from '@mailstead/core/testing/until';
import { DEADLINE_FACTOR } from '../../../../scripts/test-timeout.mjs';
import { type Serving, serve } from '../serve.js';

/**
 * An API with all that its process has (jobs, clock, ports), in the process of the test, which does not load it again.
 * For tests that neither kill the API nor look at its memory.
 */
export class ApiInProcess implements Program {
  private constructor(
    private readonly service: ServiceProcess,
    private readonly serving: Serving,
    private readonly log: TextStream,
  ) {}

  /** @param environment the environment; only the factor of deadlines is added */
  static async start(environment: Record<string, string>): Promise<ApiInProcess> {
    const settings = readConfig({ DEADLINE_FACTOR: String(DEADLINE_FACTOR), ...environment });
    const log = new TextStream();
    const service = await openProcess('api', { settings, output: log });
    return new ApiInProcess(service, await serve(service), log);
  }

  /** The lines of its log. */
  get output(): string {
    return this.log.text;
  }

  until(holds: () => Promise<boolean>): Promise<void> {
    return until('what the test expects of the API', holds);
  }

  async end(): Promise<void> {
    this.service.shutdown.begin();
    await this.serving.stop();
  }
}
