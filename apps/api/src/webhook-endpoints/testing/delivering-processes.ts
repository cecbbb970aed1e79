import type { Database } from '@mailstead/adapters/database/driver/database';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { type DatabaseKind, makeTestLocation } from '@mailstead/adapters/database/testing/database-fixture';
import { freePort } from '../../../../../scripts/free-port.mjs';
import { ChildService } from '../../testing/child-service.js';
import { TestPlatform } from '../../testing/platform.js';

/** A service whose processes that deliver webhooks can be killed: the API on SQLite, two workers with Redis. */
export interface DeliveringProcesses {
  readonly api: ChildService;
  /** Kills each of them with SIGKILL, runs the statements, and starts them again. */
  replace(statements: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export function startDelivering(kind: DatabaseKind, settings: Record<string, string>): Promise<DeliveringProcesses> {
  return kind === 'sqlite' ? OneProcess.start(settings) : WorkersOfPlatform.start(settings);
}

class OneProcess implements DeliveringProcesses {
  private constructor(
    private readonly environment: Record<string, string>,
    public api: ChildService,
    private readonly remove: () => Promise<void>,
  ) {}

  static async start(settings: Record<string, string>): Promise<OneProcess> {
    const { dataDir, remove } = await makeTestLocation('sqlite');
    const environment = { DATA_DIR: dataDir, PORT: String(await freePort()), ...settings };
    return new OneProcess(environment, await ChildService.start(environment), remove);
  }

  async replace(statements: readonly string[]): Promise<void> {
    await this.api.end('SIGKILL');
    const database = await openDatabase({ url: null, dataDir: this.environment.DATA_DIR ?? '', poolSize: 1 });
    try {
      await runAll(database, statements);
    } finally {
      await database.close();
    }
    this.api = await ChildService.start(this.environment);
  }

  async stop(): Promise<void> {
    await this.api.end('SIGKILL');
    await this.remove();
  }
}

class WorkersOfPlatform implements DeliveringProcesses {
  private constructor(private readonly platform: TestPlatform) {}

  static async start(settings: Record<string, string>): Promise<WorkersOfPlatform> {
    return new WorkersOfPlatform(await TestPlatform.start(settings));
  }

  get api(): ChildService {
    return this.platform.api;
  }

  async replace(statements: readonly string[]): Promise<void> {
    await Promise.all(this.platform.workers.map((worker) => worker.end('SIGKILL')));
    for (const statement of statements) await this.platform.sql(statement);
    await Promise.all([this.platform.replaceWorker(0), this.platform.replaceWorker(1)]);
  }

  stop(): Promise<void> {
    return this.platform.stop();
  }
}

async function runAll(database: Database, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await database.write(statement, []);
}
