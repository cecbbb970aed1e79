import { type ClaimedJob, type DeadJob, type JobBacklog, JobStore } from '@mailstead/core/jobs/job-store';
import {
  type EnqueueOptions,
  isJobName,
  JOB_OPTIONS,
  type JobName,
  type Jobs,
  type QueueName,
} from '@mailstead/core/jobs/jobs';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import { type Database, placeholders, type Row, textOrNull } from '../driver/database.js';

const MAX_REASON = 500;

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
    const { dialect } = this.database;
    const clash = `${dialect.onConflict(['unique_key'])} run_at = ${dialect.least('run_at', dialect.inserted('run_at'))}`;
    await this.database.write(
      `INSERT INTO job (name, payload, unique_key, state, run_at, attempts, request_id, created_at)
       VALUES (?, ?, ?, 'waiting', ?, 0, ?, ?) ${clash}`,
      [name, JSON.stringify(payload), options.key ?? null, runAt, options.requestId ?? null, now.getTime()],
    );
  }

  override claim(queue: QueueName, limit: number, owner: string, now: Date, leaseMs: number): Promise<ClaimedJob[]> {
    const names = namesOf(queue);
    return this.unitOfWork.run(async () => {
      const rows = await this.database.read(
        `SELECT id, name, payload, attempts, request_id FROM job
          WHERE state = 'waiting' AND run_at <= ? AND name IN (${placeholders(names)}) AND (leased_until IS NULL OR leased_until <= ?)
          ORDER BY run_at, id LIMIT ?${this.database.dialect.skipLocked}`,
        [now.getTime(), ...names, now.getTime(), limit],
      );
      if (rows.length === 0) return [];
      const ids = rows.map((row) => Number(row.id));
      // The key is given up: what is asked for while the job runs must not be lost.
      await this.database.write(
        `UPDATE job SET leased_by = ?, leased_until = ?, unique_key = NULL WHERE id IN (${placeholders(ids)})`,
        [owner, now.getTime() + leaseMs, ...ids],
      );
      return rows.flatMap(toClaimed);
    });
  }

  override async renew(id: number, owner: string, until: Date): Promise<boolean> {
    const { affected } = await this.database.write('UPDATE job SET leased_until = ? WHERE id = ? AND leased_by = ?', [
      until.getTime(),
      id,
      owner,
    ]);
    return affected === 1;
  }

  override async complete(id: number, owner: string): Promise<void> {
    await this.database.write('DELETE FROM job WHERE id = ? AND leased_by = ?', [id, owner]);
  }

  override async retry(id: number, owner: string, reason: string, runAt: Date): Promise<void> {
    await this.database.write(
      'UPDATE job SET leased_by = NULL, leased_until = NULL, attempts = attempts + 1, reason = ?, run_at = ? WHERE id = ? AND leased_by = ?',
      [reason.slice(0, MAX_REASON), runAt.getTime(), id, owner],
    );
  }

  override async postpone(id: number, owner: string, reason: string, runAt: Date): Promise<void> {
    await this.database.write(
      'UPDATE job SET leased_by = NULL, leased_until = NULL, reason = ?, run_at = ? WHERE id = ? AND leased_by = ?',
      [reason.slice(0, MAX_REASON), runAt.getTime(), id, owner],
    );
  }

  override async markDead(id: number, owner: string, reason: string): Promise<void> {
    await this.database.write(
      "UPDATE job SET state = 'dead', leased_by = NULL, leased_until = NULL, attempts = attempts + 1, reason = ? WHERE id = ? AND leased_by = ?",
      [reason.slice(0, MAX_REASON), id, owner],
    );
  }

  override async dueQueues(now: Date): Promise<QueueName[]> {
    const rows = await this.database.read<{ name: string }>(
      "SELECT DISTINCT name FROM job WHERE state = 'waiting' AND run_at <= ? AND (leased_until IS NULL OR leased_until <= ?)",
      [now.getTime(), now.getTime()],
    );
    return [...new Set(rows.flatMap(({ name }) => (isJobName(name) ? [JOB_OPTIONS[name].queue] : [])))];
  }

  override async nextRunAt(): Promise<Date | null> {
    const rows = await this.database.read(
      "SELECT MIN(run_at) AS run_at FROM job WHERE state = 'waiting' AND leased_until IS NULL",
    );
    const runAt = rows[0]?.run_at ?? null;
    return runAt === null ? null : new Date(Number(runAt));
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
}

function namesOf(queue: QueueName): JobName[] {
  return (Object.keys(JOB_OPTIONS) as JobName[]).filter((name) => JOB_OPTIONS[name].queue === queue);
}

/** A row of a job that this version does not know (a rolling update) stays for one that does. */
function toClaimed(row: Row): ClaimedJob[] {
  const name = String(row.name);
  if (!isJobName(name)) return [];
  const requestId = textOrNull(row.request_id);
  return [
    {
      id: Number(row.id),
      name,
      payload: JSON.parse(String(row.payload)) as never,
      attempts: Number(row.attempts),
      requestId,
    },
  ];
}
