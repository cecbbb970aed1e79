import { createPool, type Pool, type RowDataPacket } from 'mysql2/promise';
import { type Services, startServices } from '../../../../scripts/services.mjs';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { ChildService } from './child-service.js';

/** Two API processes and two workers, with their own MariaDB and Redis. Tests may kill each of these processes. */
export class TestPlatform {
  private constructor(
    readonly services: Services,
    private readonly database: Pool,
    private readonly environment: Record<string, string>,
    readonly apis: [ChildService, ChildService],
    readonly workers: [ChildService, ChildService],
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<TestPlatform> {
    const services = await startServices({ mariadb: true, redis: true });
    const environment = { DATABASE_URL: services.mariadbUrl, REDIS_URL: services.redisUrl, ...settings };
    const apis = await Promise.all([ChildService.start(environment), ChildService.start(environment)]);
    const workers = await Promise.all([startWorker(environment), startWorker(environment)]);
    const database = createPool({ uri: services.mariadbUrl, connectTimeout: PATIENCE_MS, connectionLimit: 1 });
    return new TestPlatform(services, database, environment, apis, workers);
  }

  /** An API process that runs. */
  get api(): ChildService {
    const [first, second] = this.apis;
    return first.isRunning ? first : second;
  }

  /** Kills the process with SIGKILL and starts a new one. */
  async replaceApi(index: 0 | 1): Promise<void> {
    await this.apis[index].end('SIGKILL');
    this.apis[index] = await ChildService.start(this.environment);
  }

  /** @param settings additional settings of the new process. */
  async replaceWorker(index: 0 | 1, settings: Record<string, string> = {}): Promise<void> {
    await this.workers[index].end('SIGKILL');
    this.workers[index] = await startWorker({ ...this.environment, ...settings });
  }

  /** Runs one SQL statement. Tests use it to read rows, or to move times in rows as if time had passed. */
  async sql<Row = RowDataPacket>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    const [rows] = await this.database.query(text, parameters);
    return rows as Row[];
  }

  /** Creates a domain and waits until it is verified; its tier has no limits. */
  async sendingDomain(name: string): Promise<void> {
    await this.api.call('PUT', '/outbound/tiers/basic', { daily_limit: 0, monthly_limit: 0 });
    await this.api.call('POST', '/domains/', { name });
    await this.api.until(
      async () => (await this.api.call('GET', `/domains/${name}/relay-status`)).body.verified === true,
    );
  }

  async stop(): Promise<void> {
    await Promise.all([...this.apis, ...this.workers].map((each) => each.end('SIGKILL')));
    await this.database.end();
    await this.services.stop();
  }
}

async function startWorker(environment: Record<string, string>): Promise<ChildService> {
  const worker = await ChildService.spawn('worker', environment);
  await worker.until(async () => worker.output.includes('working'));
  return worker;
}
