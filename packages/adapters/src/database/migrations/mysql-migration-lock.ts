import { SECOND_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import type { QueryRunner } from 'typeorm';
import { lockWaitS } from '../driver/mysql-settings.js';

const NAME = 'mailstead_migrate';
const TIMEOUT_S = 60;
const LOOK_EVERY_S = 2;
/** The holder sends nothing for so long: no step waits for this long between two statements. */
const SILENT_AFTER_S = 20;
/** How long a step waits for a table that a transaction uses. The requests of other processes wait behind the step. */
const TABLE_LOCK_TIMEOUT_S = 2;

/** The connection of the holder, when the server has nothing to do for it. */
const SILENT_HOLDER = `SELECT id FROM information_schema.processlist
  WHERE id = IS_USED_LOCK(?) AND command = 'Sleep' AND time >= ${SILENT_AFTER_S}`;

/**
 * The steps run on the connection of the lock, so that the lock is held as long as a step runs, also after a kill, and
 * is free at once afterwards. It is one server's: the nodes of a cluster share the lease instead.
 *
 * @throws AppError database_unavailable when another process holds the lock for a minute
 */
export async function underMysqlLock(runner: QueryRunner, work: () => Promise<number>): Promise<number> {
  try {
    await take(runner);
    await runner.query(`SET SESSION lock_wait_timeout = ${TABLE_LOCK_TIMEOUT_S}`);
    return await work();
  } finally {
    await runner.query(`SET SESSION lock_wait_timeout = ${lockWaitS()}, foreign_key_checks = 1`).catch(() => undefined);
    await runner.query('SELECT RELEASE_LOCK(?)', [NAME]).catch(() => undefined);
  }
}

/**
 * A holder that is frozen keeps its connection, and with it the lock. Its connection is closed, so that it cannot go on
 * when it runs again. Two looks, because a clock of the server that is set forward makes every holder seem silent.
 */
async function take(runner: QueryRunner): Promise<void> {
  const endsAt = performance.now() + TIMEOUT_S * SECOND_MS;
  let before: number | null = null;
  for (;;) {
    const [lock] = (await runner.query('SELECT GET_LOCK(?, ?) AS taken', [NAME, LOOK_EVERY_S])) as { taken: unknown }[];
    if (Number(lock?.taken) === 1) return;
    if (performance.now() > endsAt) {
      throw new AppError('database_unavailable', {
        detail: `Another process has been migrating for ${TIMEOUT_S} s`,
      });
    }
    const [holder] = (await runner.query(SILENT_HOLDER, [NAME])) as { id: unknown }[];
    const silent = holder === undefined ? null : Number(holder.id);
    // It may have ended meanwhile.
    if (silent !== null && silent === before) await runner.query(`KILL CONNECTION ${silent}`).catch(() => undefined);
    before = silent;
  }
}
