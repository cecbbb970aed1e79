import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { type Services, startServices } from '../../../../scripts/services.mjs';
import { ChildService } from './child-service.js';

/** Two API processes and two workers on a MariaDB and a Redis of their own, all to be killed at will. */
export class TestPlatform {
  private constructor(
    readonly services: Services,
    private readonly environment: Record<string, string>,
    readonly apis: [ChildService, ChildService],
    readonly workers: [ChildService, ChildService],
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<TestPlatform> {
    const services = await startServices({ mariadb: true, redis: true });
    const environment = { DATABASE_URL: services.mariadbUrl, REDIS_URL: services.redisUrl, ...settings };
    const apis = await Promise.all([ChildService.start(environment), ChildService.start(environment)]);
    const workers = await Promise.all([startWorker(environment), startWorker(environment)]);
    return new TestPlatform(services, environment, apis, workers);
  }

  /** An API process that lives, whichever was killed. */
  get api(): ChildService {
    const [first, second] = this.apis;
    return first.isRunning ? first : second;
  }

  /** kill -9, and a new process in its place. */
  async replaceApi(index: 0 | 1): Promise<void> {
    await this.apis[index].end('SIGKILL');
    this.apis[index] = await ChildService.start(this.environment);
  }

  /** @param settings of the new process alone. */
  async replaceWorker(index: 0 | 1, settings: Record<string, string> = {}): Promise<void> {
    await this.workers[index].end('SIGKILL');
    this.workers[index] = await startWorker({ ...this.environment, ...settings });
  }

  /** Looks into the database, or makes time pass in it. */
  async sql<Row = RowDataPacket>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    const connection = await createConnection(this.services.mariadbUrl);
    try {
      const [rows] = await connection.query(text, parameters);
      return rows as Row[];
    } finally {
      await connection.end();
    }
  }

  /** A domain that may send without limit. */
  async sendingDomain(name: string): Promise<void> {
    await this.api.call('PUT', '/outbound/tiers/basic', { daily_limit: 0, monthly_limit: 0 });
    await this.api.call('POST', '/domains/', { name });
    await this.api.until(
      async () => (await this.api.call('GET', `/domains/${name}/relay-status`)).body.verified === true,
    );
  }

  async stop(): Promise<void> {
    await Promise.all([...this.apis, ...this.workers].map((each) => each.end('SIGKILL')));
    await this.services.stop();
  }
}

async function startWorker(environment: Record<string, string>): Promise<ChildService> {
  const worker = await ChildService.spawn('worker', environment);
  await worker.until(async () => worker.output.includes('working'));
  return worker;
}
