import { type ClaimedJob, type DeadJob, type HeldJob, type JobBacklog, JobStore } from '@mailstead/core/jobs/job-store';
import {
  type EnqueueOptions,
  isJobName,
  JOB_NAMES,
  JOB_OPTIONS,
  type JobName,
  type Jobs,
  type QueueName,
} from '@mailstead/core/jobs/jobs';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import { type Database, placeholders, type Row, textOrNull } from '../driver/database.js';

const MAX_REASON = 500;

/** Jobs that can be claimed: due and not leased. */
const DUE = "state = 'waiting' AND run_at <= ? AND (leased_until IS NULL OR leased_until <= ?)";
/** The job, while this claim owns it. */
const HELD = 'id = ? AND leased_by = ?';

export class TypeormJobStore extends JobStore {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  override async add<Name extends JobName>(
    name: Name,
    payload: Jobs[Name],
    options: EnqueueOptions,
    now: Date,
  ): Promise<void> {
    const runAt = (options.runAt ?? now).getTime();
    await this.database.write(
      `INSERT INTO job (name, payload, unique_key, state, run_at, attempts, request_id, created_at)
       VALUES (?, ?, ?, 'waiting', ?, 0, ?, ?) ${this.keepEarlier}`,
      [name, JSON.stringify(payload), options.key ?? null, runAt, options.requestId ?? null, now.getTime()],
    );
  }

  override claim(queue: QueueName, limit: number, owner: string, now: Date, leaseMs: number): Promise<ClaimedJob[]> {
    const names = JOB_NAMES.filter((name) => JOB_OPTIONS[name].queue === queue);
    return this.unitOfWork.run(async () => {
      for (;;) {
        const ids = await this.dueIds(names, limit, now);
        if (ids.length === 0) return [];
        const claimed = await this.take(ids, owner, now, leaseMs);
        // Other processes claimed all of them: search again.
        if (claimed.length > 0) return claimed;
      }
    });
  }

  /**
   * Skips jobs that other claims have locked, because that is faster. A claim also locks jobs that it only reads, so
   * when all due jobs are locked, they are read again without a lock.
   */
  private async dueIds(names: JobName[], limit: number, now: Date): Promise<number[]> {
    const { skipLocked } = this.database.dialect;
    const unlocked = await this.dueIdsBy(skipLocked, names, limit, now);
    return unlocked.length === 0 && skipLocked !== '' ? this.dueIdsBy('', names, limit, now) : unlocked;
  }

  private async dueIdsBy(lock: string, names: JobName[], limit: number, now: Date): Promise<number[]> {
    const rows = await this.database.read(
      `SELECT id FROM job WHERE ${DUE} AND name IN (${placeholders(names)}) ORDER BY run_at, id LIMIT ?${lock}`,
      [now.getTime(), now.getTime(), ...names, limit],
    );
    return rows.map((row) => Number(row.id));
  }

  /**
   * Compare and set: claims those of the jobs that are still due. Only this makes the claim exclusive, because a lock
   * has no effect on another node of a Galera cluster.
   */
  private async take(ids: number[], owner: string, now: Date, leaseMs: number): Promise<ClaimedJob[]> {
    const [, rows = []] = await this.database.together([
      {
        sql: `UPDATE job SET leased_by = ?, leased_until = ?, unique_key = NULL WHERE id IN (${placeholders(ids)}) AND ${DUE}`,
        parameters: [owner, now.getTime() + leaseMs, ...ids, now.getTime(), now.getTime()],
      },
      {
        sql: `SELECT id, name, payload, attempts, request_id FROM job
               WHERE id IN (${placeholders(ids)}) AND leased_by = ? ORDER BY run_at, id`,
        parameters: [...ids, owner],
      },
    ]);
    return rows.map((row) => toClaimed(row, owner));
  }

  override async renew({ id, owner }: HeldJob, until: Date): Promise<boolean> {
    const { affected } = await this.database.write(`UPDATE job SET leased_until = ? WHERE ${HELD}`, [
      until.getTime(),
      id,
      owner,
    ]);
    return affected === 1;
  }

  override async complete({ id, owner }: HeldJob): Promise<void> {
    await this.database.write(`DELETE FROM job WHERE ${HELD}`, [id, owner]);
  }

  override async retry({ id, owner }: HeldJob, reason: string, runAt: Date): Promise<void> {
    await this.database.write(
      `UPDATE job SET leased_by = NULL, leased_until = NULL, attempts = attempts + 1, reason = ?, run_at = ? WHERE ${HELD}`,
      [reason.slice(0, MAX_REASON), runAt.getTime(), id, owner],
    );
  }

  override async postpone({ id, owner }: HeldJob, reason: string, runAt: Date): Promise<void> {
    await this.database.write(
      `UPDATE job SET leased_by = NULL, leased_until = NULL, reason = ?, run_at = ? WHERE ${HELD}`,
      [reason.slice(0, MAX_REASON), runAt.getTime(), id, owner],
    );
  }

  override async markDead({ id, owner }: HeldJob, reason: string): Promise<void> {
    await this.database.write(
      `UPDATE job SET state = 'dead', leased_by = NULL, leased_until = NULL, attempts = attempts + 1, reason = ? WHERE ${HELD}`,
      [reason.slice(0, MAX_REASON), id, owner],
    );
  }

  override async dueQueues(now: Date): Promise<QueueName[]> {
    const rows = await this.database.read<{ name: string }>(`SELECT DISTINCT name FROM job WHERE ${DUE}`, [
      now.getTime(),
      now.getTime(),
    ]);
    // A job with an unknown name (during a rolling update) waits for a process of the newer version.
    return [...new Set(rows.flatMap(({ name }) => (isJobName(name) ? [JOB_OPTIONS[name].queue] : [])))];
  }

  override async dead(limit: number): Promise<DeadJob[]> {
    const rows = await this.database.read(
      "SELECT id, name, reason, attempts, run_at FROM job WHERE state = 'dead' ORDER BY id DESC LIMIT ?",
      [limit],
    );
    return rows.map((row) => ({
      id: Number(row.id),
      name: String(row.name),
      reason: textOrNull(row.reason) ?? '',
      attempts: Number(row.attempts),
      at: new Date(Number(row.run_at)),
    }));
  }

  override async backlog(now: Date): Promise<JobBacklog[]> {
    const rows = await this.database.read(
      `SELECT name, SUM(state = 'waiting') AS waiting, SUM(state = 'dead') AS dead,
              MIN(CASE WHEN state = 'waiting' AND run_at <= ? THEN run_at END) AS oldest
         FROM job GROUP BY name`,
      [now.getTime()],
    );
    return rows.map((row) => ({
      name: String(row.name),
      waiting: Number(row.waiting),
      dead: Number(row.dead),
      oldestDueAt: row.oldest === null ? null : new Date(Number(row.oldest)),
    }));
  }

  /** For an insert with a key that exists: keeps the earlier of the two times. */
  private get keepEarlier(): string {
    const { dialect } = this.database;
    return `${dialect.onConflict(['unique_key'])} run_at = ${dialect.least('run_at', dialect.inserted('run_at'))}`;
  }
}

function toClaimed(row: Row, owner: string): ClaimedJob {
  return {
    id: Number(row.id),
    owner,
    name: row.name,
    payload: JSON.parse(String(row.payload)) as unknown,
    attempts: Number(row.attempts),
    requestId: textOrNull(row.request_id),
  } as ClaimedJob;
}
