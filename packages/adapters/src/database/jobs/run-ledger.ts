import type { JobCounts } from '@mailstead/core/jobs/jobs';
import { type LedgerRun, RunLedger, type RunOutcome } from '@mailstead/core/jobs/run-ledger';
import { type Database, type Row, textOrNull } from '../driver/database.js';

export class TypeormRunLedger extends RunLedger {
  constructor(private readonly database: Database) {
    super();
  }

  override async begin(
    name: string,
    period: string,
    now: Date,
    leaseMs: number,
    maxAttempts: number,
  ): Promise<LedgerRun | null> {
    const until = now.getTime() + leaseMs;
    const inserted = await this.database.write(
      `${this.database.dialect.insertOrIgnore('job_run')} (name, period, outcome, started_at, attempts, leased_until, resume_after) VALUES (?, ?, 'running', ?, 1, ?, 0)`,
      [name, period, now.getTime(), until],
    );
    if (inserted.affected === 0) {
      const taken = await this.database.write(
        `UPDATE job_run SET outcome = 'running', started_at = ?, ended_at = NULL, attempts = attempts + 1, leased_until = ?
          WHERE name = ? AND period = ? AND attempts < ? AND outcome <> 'done' AND (leased_until IS NULL OR leased_until <= ?)`,
        [now.getTime(), until, name, period, maxAttempts, now.getTime()],
      );
      if (taken.affected === 0) return null;
    }
    return this.find(name, period);
  }

  override async save(name: string, period: string, cursor: number, leasedUntil: Date): Promise<void> {
    await this.database.write('UPDATE job_run SET resume_after = ?, leased_until = ? WHERE name = ? AND period = ?', [
      cursor,
      leasedUntil.getTime(),
      name,
      period,
    ]);
  }

  override async renew(name: string, period: string, leasedUntil: Date): Promise<void> {
    await this.database.write(
      "UPDATE job_run SET leased_until = ? WHERE name = ? AND period = ? AND outcome = 'running'",
      [leasedUntil.getTime(), name, period],
    );
  }

  override async done(name: string, period: string, counts: JobCounts, now: Date): Promise<void> {
    await this.database.write(
      "UPDATE job_run SET outcome = 'done', ended_at = ?, leased_until = NULL, reason = NULL, counts = ? WHERE name = ? AND period = ?",
      [now.getTime(), JSON.stringify(counts), name, period],
    );
  }

  override async failed(name: string, period: string, reason: string, now: Date, retryAt: Date): Promise<void> {
    await this.database.write(
      "UPDATE job_run SET outcome = 'failed', ended_at = ?, leased_until = ?, reason = ? WHERE name = ? AND period = ?",
      [now.getTime(), retryAt.getTime(), reason.slice(0, 500), name, period],
    );
  }

  override async postponed(name: string, period: string, reason: string, now: Date, retryAt: Date): Promise<void> {
    // Never back to 0: the first attempt of a late period sends `job.missed`.
    await this.database.write(
      `UPDATE job_run SET outcome = 'failed', ended_at = ?, leased_until = ?, reason = ?,
              attempts = CASE WHEN attempts > 1 THEN attempts - 1 ELSE attempts END
        WHERE name = ? AND period = ?`,
      [now.getTime(), retryAt.getTime(), reason.slice(0, 500), name, period],
    );
  }

  override async skip(name: string, period: string, now: Date): Promise<void> {
    await this.database.write(
      `${this.database.dialect.insertOrIgnore('job_run')} (name, period, outcome, started_at, ended_at, attempts, resume_after) VALUES (?, ?, 'done', ?, ?, 0, 0)`,
      [name, period, now.getTime(), now.getTime()],
    );
  }

  override async find(name: string, period: string): Promise<LedgerRun | null> {
    const rows = await this.database.read('SELECT * FROM job_run WHERE name = ? AND period = ?', [name, period]);
    return rows[0] === undefined ? null : toRun(rows[0]);
  }

  override async newest(): Promise<Map<string, LedgerRun>> {
    const rows = await this.database.read(
      'SELECT r.* FROM job_run r JOIN (SELECT name, MAX(period) AS period FROM job_run GROUP BY name) n ON n.name = r.name AND n.period = r.period',
    );
    return new Map(rows.map((row) => [String(row.name), toRun(row)]));
  }
}

function toRun(row: Row): LedgerRun {
  return {
    name: String(row.name),
    period: String(row.period),
    outcome: row.outcome as RunOutcome,
    startedAt: new Date(Number(row.started_at)),
    endedAt: row.ended_at === null ? null : new Date(Number(row.ended_at)),
    attempts: Number(row.attempts),
    reason: textOrNull(row.reason),
    counts: typeof row.counts === 'string' ? (JSON.parse(row.counts) as JobCounts) : null,
    cursor: Number(row.resume_after),
  };
}
