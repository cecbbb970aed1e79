import { createHash } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MINUTE_MS } from '@mailstead/core/clock';
import type { Database } from '../database/driver/database.js';
import { sessionOf } from '../database/driver/mysql-settings.js';
import { openDatabase } from '../database/driver/open-database.js';
import { refuseUnfitServer } from '../database/installation/server-settings.js';
import { dropTables, type Runner, readTables } from '../database/recovery/mysql-tables.js';
import { UNFINISHED_TABLE } from '../database/recovery/unfinished-restore.js';
import { databaseNameOf, isClosedPipe, startMariadb } from './mariadb-programs.js';
import type { RestoreTarget } from './restore-target.js';

/** A connection that waits for the client of a large dump must not time out. */
const KEEP_ALIVE_MS = MINUTE_MS;

/** A MariaDB database. The account of the service needs no right but those on it. */
export class MariadbTarget implements RestoreTarget {
  private readonly runner: Runner;
  private isClaimed = false;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly url: string,
    private readonly database: Database,
  ) {
    this.runner = database.writer.createQueryRunner();
  }

  static async connect(url: string): Promise<MariadbTarget> {
    return new MariadbTarget(url, await openDatabase({ url, dataDir: '', poolSize: 4 }));
  }

  async check(): Promise<void> {
    await refuseUnfitServer(this.database);
    const { tables, views } = await readTables(this.database);
    if (tables.length + views.length > 0 && !tables.includes(UNFINISHED_TABLE)) {
      throw new Error('The database of DATABASE_URL is not empty; restore into a new one');
    }
  }

  async claim(): Promise<void> {
    const [row] = (await this.runner.query('SELECT GET_LOCK(?, 0) AS taken', [lockName(this.url)])) as {
      taken: unknown;
    }[];
    if (Number(row?.taken) !== 1) throw new Error('Another restore into the database of DATABASE_URL runs');
    this.timer = setInterval(() => void this.runner.query('SELECT 1').catch(() => undefined), KEEP_ALIVE_MS).unref();
    const before = await readTables(this.database);
    const isKilled = before.tables.includes(UNFINISHED_TABLE);
    if (!isKilled) {
      await this.check();
      await this.runner.query(`CREATE TABLE ${UNFINISHED_TABLE} (id int NOT NULL PRIMARY KEY) ENGINE=InnoDB`);
    }
    const { tables, views } = await readTables(this.database);
    if (!isKilled && tables.length + views.length > 1) {
      // A process of the service was faster.
      await this.runner.query(`DROP TABLE ${UNFINISHED_TABLE}`);
      throw new Error('The database of DATABASE_URL is not empty; restore into a new one');
    }
    this.isClaimed = true;
    await dropTables(this.database, this.runner, UNFINISHED_TABLE);
  }

  async load(content: Readable, signal: AbortSignal): Promise<void> {
    const { child, ended } = startMariadb('mariadb', this.url, [
      '--batch',
      '--binary-mode',
      '--default-character-set=utf8mb4',
      `--init-command=${sessionOf({ endsSilentTransactions: false })}`,
      databaseNameOf(this.url),
    ]);
    child.stdout?.resume();
    try {
      const [outcome, written] = await Promise.allSettled([
        ended,
        pipeline(content, child.stdin as Writable, { signal }).catch((error: unknown) => {
          // Or the client would take what it has for the whole.
          child.kill('SIGKILL');
          throw error;
        }),
      ]);
      signal.throwIfAborted();
      if (written.status === 'rejected' && !isClosedPipe(written.reason)) throw written.reason;
      if (outcome.status === 'rejected') throw outcome.reason;
      if (written.status === 'rejected') throw written.reason;
    } finally {
      child.kill('SIGKILL');
    }
  }

  async open(): Promise<Database> {
    return this.database;
  }

  async writeFiles(): Promise<void> {
    // A service with DATABASE_URL has its secrets in its settings.
  }

  async finish(): Promise<void> {
    await this.runner.query(`DROP TABLE ${UNFINISHED_TABLE}`);
  }

  async undo(): Promise<void> {
    if (!this.isClaimed) return;
    await dropTables(this.database, this.runner, UNFINISHED_TABLE);
    await this.runner.query(`DROP TABLE IF EXISTS ${UNFINISHED_TABLE}`);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.runner.release();
    await this.database.close();
  }
}

/** At most 64 characters. */
function lockName(url: string): string {
  return `mailstead_restore_${createHash('sha256').update(databaseNameOf(url)).digest('hex').slice(0, 32)}`;
}
