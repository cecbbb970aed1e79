import type { Database } from '@mailstead/adapters/database/driver/database';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { type DatabaseKind, makeTestLocation } from '@mailstead/adapters/database/testing/database-fixture';
import { ApiInProcess } from '@mailstead/api/testing/api-in-process';
import { type StartApi, startApiProcess } from '@mailstead/api/testing/start-api-process';
import type { Program } from '@mailstead/core/testing/child';
import { freePort } from '../../../../scripts/free-port.mjs';

export const MASTER = 'master-token-of-the-portal-0123456789';

/** The built service as an operator starts it: its jobs run, and its relay is the sandbox. */
export class TestService {
  private api!: Program;

  private constructor(
    private readonly environment: Record<string, string>,
    readonly url: string,
    private readonly remove: () => Promise<void>,
    private readonly openApi: StartApi<Program>,
  ) {}

  /** In a process of its own, which a test may kill. */
  static start(kind: DatabaseKind, settings: Record<string, string> = {}): Promise<TestService> {
    return TestService.startWith(kind, settings, startApiProcess);
  }

  /** In the process of the test, on the embedded database. */
  static startInProcess(settings: Record<string, string> = {}): Promise<TestService> {
    return TestService.startWith('sqlite', settings, ApiInProcess.start);
  }

  private static async startWith(
    kind: DatabaseKind,
    settings: Record<string, string>,
    openApi: StartApi<Program>,
  ): Promise<TestService> {
    const { url: databaseUrl, dataDir, remove } = await makeTestLocation(kind);
    const port = String(await freePort());
    const environment = {
      PORT: port,
      DATA_DIR: dataDir,
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      MASTER_TOKEN: MASTER,
      SECRET_KEY: 'secret-key-of-the-portal-0123456789',
      BCRYPT_COST: '4',
      // The tests are faster than the rate of a partner.
      RATE_LIMIT: '0',
      SANDBOX_VERIFY_AFTER: '1',
      // Nothing listens there: no test asks a real name server.
      DNS_SERVERS: '127.0.0.1:9',
      ...settings,
    };
    const service = new TestService(environment, `http://127.0.0.1:${port}`, remove, openApi);
    await service.comeBack();
    return service;
  }

  /** Ends the process, as in an outage. */
  async goDown(): Promise<void> {
    await this.api.end('SIGKILL');
  }

  /** Starts the process again, on the same port and with the same data. */
  async comeBack(): Promise<void> {
    this.api = await this.openApi(this.environment);
    await this.api.until(async () => (await fetch(`${this.url}/health/ready`)).ok);
  }

  /** Ends the process, works with its database, and starts the process again, also with other settings. */
  async whileDown(work: (database: Database) => Promise<void>, settings: Record<string, string> = {}): Promise<void> {
    await this.api.end('SIGTERM');
    const { DATABASE_URL: url = null, DATA_DIR: dataDir = '' } = this.environment;
    const database = await openDatabase({ url, dataDir, poolSize: 2 });
    try {
      await work(database);
    } finally {
      await database.close();
    }
    Object.assign(this.environment, settings);
    await this.comeBack();
  }

  /** Creates an API key and returns its token. */
  async key(partnerRef: string, more: Record<string, unknown> = {}): Promise<string> {
    const token = `key-of-${partnerRef}-0123456789-abcdef`;
    await this.call('POST', '/api-keys/', {
      token,
      partner_ref: partnerRef,
      domains_allowed: 100,
      mailboxes_per_domain: 10,
      aliases_per_mailbox: 10,
      ...more,
    });
    return token;
  }

  /** Calls the API. @throws Error when the answer is not 2xx. */
  async call<Result = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    token = MASTER,
  ): Promise<Result> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Result;
  }

  async stop(): Promise<void> {
    await this.api.end('SIGTERM');
    await this.remove();
  }
}
