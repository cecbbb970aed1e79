import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import type { DataSource, QueryRunner } from 'typeorm';
import { databaseErrorCode, isDuplicateError, isRetriedError } from '../driver/database-error.js';
import { MYSQL_TIME } from '../driver/mysql-dialect.js';

/** A killed holder's lease ends after this time. */
const LEASE_MS = 10 * SECOND_MS;
const RENEW_EVERY_MS = 2 * SECOND_MS;
const LOOK_EVERY_MS = SECOND_MS / 4;
/** Claims at the same time on several nodes conflict, and all but one are tried again. */
const MAX_TRIES = 20;

const CREATE =
  'CREATE TABLE IF NOT EXISTS migration_lease (id INT PRIMARY KEY, fence BIGINT NOT NULL, expires_at BIGINT NOT NULL) ENGINE=InnoDB';
const FIRST_ROW = 'INSERT IGNORE INTO migration_lease (id, fence, expires_at) VALUES (1, 0, 0)';
/**
 * A lease that ends later was given before the clock of the database was set back. Its holder, if there is one, renews
 * it by the present clock. Twice the time, because the clocks of the nodes differ a little.
 */
const IS_HELD = `expires_at > ${MYSQL_TIME} AND expires_at <= ${MYSQL_TIME} + ${2 * LEASE_MS}`;
const READ = `SELECT fence, ${IS_HELD} AS held FROM migration_lease WHERE id = 1`;
/** Compare and set: a cluster commits one of several claims of the same fence. */
const CLAIM = `UPDATE migration_lease SET fence = fence + 1, expires_at = ${MYSQL_TIME} + ${LEASE_MS} WHERE id = 1 AND fence = ? AND NOT (${IS_HELD})`;
const RENEW = `UPDATE migration_lease SET expires_at = ${MYSQL_TIME} + ${LEASE_MS} WHERE id = 1 AND fence = ?`;
const HELD = `SELECT 1 FROM migration_lease WHERE id = 1 AND fence = ? AND expires_at > ${MYSQL_TIME}`;
const RELEASE = 'UPDATE migration_lease SET expires_at = 0 WHERE id = 1 AND fence = ?';

/** Another process took the lease over, because this one did not renew it in time. */
export class LeaseLost extends Error {}

/**
 * The right to migrate a Galera cluster: a row that all nodes have, with a time of the database. It is renewed until it
 * is released. Every claim raises the fence, so that a process that lost the lease without noticing finds out before
 * its next statement.
 */
export class MigrationLease {
  private readonly timer: NodeJS.Timeout;
  private renewing: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly dataSource: DataSource,
    private readonly fence: number,
  ) {
    this.timer = setInterval(() => this.renew(), RENEW_EVERY_MS).unref();
  }

  /** @throws AppError database_unavailable when another process holds the lease for all of this time */
  static async claim(dataSource: DataSource, withinMs: number): Promise<MigrationLease> {
    const endsAt = performance.now() + withinMs;
    await retried(() => createRow(dataSource));
    while (performance.now() < endsAt) {
      const [row] = (await dataSource.query(READ)) as { fence: unknown; held: unknown }[];
      const fence = Number(row?.fence);
      if (Number(row?.held) === 0) {
        const { affectedRows } = await retried(() => change(dataSource, CLAIM, fence));
        if (affectedRows === 1) return new MigrationLease(dataSource, fence + 1);
      }
      await sleep(LOOK_EVERY_MS);
    }
    throw new AppError('database_unavailable', {
      detail: `Another process has been migrating for ${withinMs / SECOND_MS} s`,
    });
  }

  /**
   * Makes every statement of the runner, except ROLLBACK, check first that the lease is held.
   *
   * @returns a function that ends this
   */
  guard(runner: QueryRunner): () => void {
    const query = runner.query.bind(runner);
    runner.query = async (...given: [string]) => {
      if (given[0] !== 'ROLLBACK') await this.check();
      return query(...given);
    };
    return () => {
      runner.query = query;
    };
  }

  /** @throws LeaseLost */
  async check(): Promise<void> {
    const rows = (await this.dataSource.query(HELD, [this.fence])) as unknown[];
    if (rows.length === 0) throw new LeaseLost('Another process took over the migrations');
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.renewing;
    await retried(() => change(this.dataSource, RELEASE, this.fence)).catch(() => undefined);
  }

  /** A failed renewal is noticed by the next check. */
  private renew(): void {
    this.renewing = change(this.dataSource, RENEW, this.fence).catch(() => undefined);
  }
}

async function createRow(dataSource: DataSource): Promise<void> {
  const rows = await dataSource.query(READ).catch((error: unknown) => {
    if (databaseErrorCode(error) === 'ER_NO_SUCH_TABLE') return [];
    throw error;
  });
  if ((rows as unknown[]).length > 0) return;
  await dataSource.query(CREATE);
  await dataSource.query(FIRST_ROW);
}

async function change(dataSource: DataSource, sql: string, fence: number): Promise<{ affectedRows: number }> {
  return (await dataSource.query(sql, [fence])) as { affectedRows: number };
}

/** A node refuses a change that another node's change came before (error 1213). */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let left = MAX_TRIES; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (left === 0 || !(isRetriedError(error) || isDuplicateError(error))) throw error;
      await sleep(LOOK_EVERY_MS);
    }
  }
}
