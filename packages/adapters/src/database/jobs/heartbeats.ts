import { MINUTE_MS } from '@mailstead/core/clock';
import { type BeatingProcess, Heartbeats, type WorkerState } from '@mailstead/core/jobs/heartbeats';
import { needs } from '@mailstead/core/needs';
import { SOFTWARE_VERSION } from '@mailstead/core/software-version';
import type { EntitySchema } from 'typeorm';
import { Database } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** Heartbeats later than this are left from a clock that was set back. */
const FUTURE_MS = MINUTE_MS;
/** Several heartbeats: a process that is slow for a minute still counts as running. */
const RECENT_MS = 2 * MINUTE_MS;
/** The row of `installation` with the last heartbeat of the stop that was reported last. */
const REPORTED = 'worker_stop_reported';

export function heartbeatSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  return rowTable('HeartbeatRow', 'process_heartbeat', {
    columns: {
      processId: columns.exact(36, { name: 'process_id', primary: true }),
      // api | worker
      kind: columns.exact(8),
      process: columns.text(300),
      seenAt: columns.time({ name: 'seen_at' }),
      // Null: a process of the former release. @until 5.3
      softwareVersion: columns.exact(20, { name: 'software_version', nullable: true }),
      hasEnded: { ...columns.flag(), name: 'has_ended' },
    },
    indices: [{ name: 'ix_process_heartbeat_seen', columns: ['kind', 'seenAt'] }],
  });
}

@needs(Database)
export class SqlHeartbeats extends Heartbeats {
  constructor(private readonly database: Database) {
    super();
  }

  override async beat({ id, kind, label }: BeatingProcess, now: Date): Promise<void> {
    const { dialect } = this.database;
    await this.database.write(
      `INSERT INTO process_heartbeat (process_id, kind, process, seen_at, software_version, has_ended)
       VALUES (?, ?, ?, ?, ?, 0)
       ${dialect.onConflict(['process_id'])} seen_at = ${dialect.inserted('seen_at')}, has_ended = 0`,
      [id, kind, label.slice(0, 300), now.getTime(), SOFTWARE_VERSION],
    );
  }

  override async end(processId: string, now: Date): Promise<void> {
    await this.database.write('UPDATE process_heartbeat SET seen_at = ?, has_ended = 1 WHERE process_id = ?', [
      now.getTime(),
      processId,
    ]);
  }

  override async workers(now: Date, recentSince: Date): Promise<WorkerState> {
    const future = now.getTime() + FUTURE_MS;
    const [row] = await this.database.read(
      `SELECT (SELECT MAX(seen_at) FROM process_heartbeat WHERE kind = 'worker' AND seen_at <= ?) AS last_seen_at,
              (SELECT COUNT(*) FROM process_heartbeat
                WHERE kind = 'worker' AND seen_at >= ? AND seen_at <= ? AND has_ended = 0) AS running`,
      [future, recentSince.getTime(), future],
    );
    const lastSeenAt = row?.last_seen_at ?? null;
    return {
      lastSeenAt: lastSeenAt === null ? null : new Date(Number(lastSeenAt)),
      running: Number(row?.running ?? 0),
    };
  }

  override async includesFormer(now: Date): Promise<boolean> {
    const [former] = await this.database.read(
      `SELECT process_id FROM process_heartbeat
       WHERE software_version IS NULL AND has_ended = 0 AND seen_at >= ? AND seen_at <= ? LIMIT 1`,
      [now.getTime() - RECENT_MS, now.getTime() + FUTURE_MS],
    );
    return former !== undefined;
  }

  override async claimReport(lastSeenAt: Date | null): Promise<boolean> {
    const value = lastSeenAt === null ? 'never' : String(lastSeenAt.getTime());
    await this.database.write(`${this.database.dialect.insertOrIgnore('installation')} (name, value) VALUES (?, '')`, [
      REPORTED,
    ]);
    const { affected } = await this.database.write('UPDATE installation SET value = ? WHERE name = ? AND value <> ?', [
      value,
      REPORTED,
      value,
    ]);
    return affected === 1;
  }

  override async deleteOld(before: Date): Promise<number> {
    let deleted = 0;
    for (const kind of ['api', 'worker']) {
      const [newest] = await this.database.read(
        'SELECT process_id FROM process_heartbeat WHERE kind = ? ORDER BY seen_at DESC LIMIT 1',
        [kind],
      );
      if (newest === undefined) continue;
      const { affected } = await this.database.write(
        'DELETE FROM process_heartbeat WHERE kind = ? AND seen_at < ? AND process_id <> ?',
        [kind, before.getTime(), String(newest.process_id)],
      );
      deleted += affected;
    }
    return deleted;
  }
}
