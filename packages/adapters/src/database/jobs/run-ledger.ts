import type { JobCounts } from '@mailstead/core/jobs/jobs';
import {
  type FuturePeriod,
  type LedgerRun,
  type PeriodKeys,
  REQUESTED,
  type RunAttempt,
  RunLedger,
  type RunOutcome,
} from '@mailstead/core/jobs/run-ledger';
import { needs } from '@mailstead/core/needs';
import { Database, type Parameter, type Row, textOrNull } from '../driver/database.js';
import { LAST_WRITE } from '../health/embedded-clock.js';

const MAX_REASON = 500;
/** The row of `installation` with the newest future period that was reported. */
const FUTURE_REPORTED = 'future_periods_reported';

/**
 * The row of an attempt, while it runs. `attempts` distinguishes it from a later attempt: each start adds 1, and only
 * the end of an attempt subtracts 1.
 */
const RUNNING = "name = ? AND period = ? AND attempts = ? AND outcome = 'running'";

/** The newest row of each schedule among those that meet the condition. The primary key answers it without a scan. */
const newestWhere = (condition: string) =>
  `SELECT r.* FROM job_run r
     JOIN (SELECT name, MAX(period) AS period FROM job_run WHERE ${condition} GROUP BY name) n
       ON n.name = r.name AND n.period = r.period`;

@needs(Database)
export class SqlRunLedger extends RunLedger {
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
    if (inserted.affected === 0 && !(await this.takeOver(name, period, now, until, maxAttempts))) return null;
    return this.find(name, period);
  }

  /** Compare and set: starts the next attempt of a period that failed, or whose lease ended. */
  private async takeOver(
    name: string,
    period: string,
    now: Date,
    until: number,
    maxAttempts: number,
  ): Promise<boolean> {
    const { affected } = await this.database.write(
      `UPDATE job_run SET outcome = 'running', started_at = ?, ended_at = NULL, attempts = attempts + 1, leased_until = ?
        WHERE name = ? AND period = ? AND attempts < ? AND outcome <> 'done' AND (leased_until IS NULL OR leased_until <= ?)`,
      [now.getTime(), until, name, period, maxAttempts, now.getTime()],
    );
    return affected === 1;
  }

  override async save(run: RunAttempt, cursor: number, leasedUntil: Date): Promise<void> {
    await this.database.write(`UPDATE job_run SET resume_after = ?, leased_until = ? WHERE ${RUNNING}`, [
      cursor,
      leasedUntil.getTime(),
      ...keyOf(run),
    ]);
  }

  override async renew(run: RunAttempt, leasedUntil: Date): Promise<void> {
    await this.database.write(`UPDATE job_run SET leased_until = ? WHERE ${RUNNING}`, [
      leasedUntil.getTime(),
      ...keyOf(run),
    ]);
  }

  override async complete(run: RunAttempt, counts: JobCounts, now: Date): Promise<void> {
    await this.database.write(
      `UPDATE job_run SET outcome = 'done', ended_at = ?, leased_until = NULL, reason = NULL, counts = ? WHERE ${RUNNING}`,
      [now.getTime(), JSON.stringify(counts), ...keyOf(run)],
    );
  }

  override async fail(run: RunAttempt, reason: string, now: Date, retryAt: Date): Promise<void> {
    await this.database.write(
      `UPDATE job_run SET outcome = 'failed', ended_at = ?, leased_until = ?, reason = ? WHERE ${RUNNING}`,
      [now.getTime(), retryAt.getTime(), reason.slice(0, MAX_REASON), ...keyOf(run)],
    );
  }

  override async postpone(run: RunAttempt, reason: string, now: Date, retryAt: Date): Promise<void> {
    // Never 0, because the first attempt of a late period sends `job.missed`.
    await this.database.write(
      `UPDATE job_run SET outcome = 'failed', ended_at = ?, leased_until = ?, reason = ?,
              attempts = CASE WHEN attempts > 1 THEN attempts - 1 ELSE attempts END
        WHERE ${RUNNING}`,
      [now.getTime(), retryAt.getTime(), reason.slice(0, MAX_REASON), ...keyOf(run)],
    );
  }

  override async skip(name: string, period: string, now: Date): Promise<void> {
    await this.database.write(
      `${this.database.dialect.insertOrIgnore('job_run')} (name, period, outcome, started_at, ended_at, attempts, resume_after)
       SELECT ?, ?, 'done', ?, ?, 0, 0 FROM (SELECT 1 AS one) AS schedule
        WHERE NOT EXISTS (SELECT 1 FROM job_run WHERE name = ? AND period <= ?)`,
      [name, period, now.getTime(), now.getTime(), name, period],
    );
  }

  override async find(name: string, period: string): Promise<LedgerRun | null> {
    const rows = await this.database.read('SELECT * FROM job_run WHERE name = ? AND period = ?', [name, period]);
    return rows[0] === undefined ? null : toRun(rows[0]);
  }

  override async beginRequested(name: string, period: string, now: Date, leaseMs: number): Promise<LedgerRun | null> {
    const begun = await this.begin(name, period, now, leaseMs, 1);
    if (begun !== null) return begun;
    const { affected } = await this.database.write(
      `UPDATE job_run SET outcome = 'running', started_at = ?, ended_at = NULL, attempts = attempts + 1, leased_until = ?
        WHERE name = ? AND period = ? AND outcome <> 'done'`,
      [now.getTime(), now.getTime() + leaseMs, name, period],
    );
    return affected === 1 ? this.find(name, period) : null;
  }

  override async lockRequested(name: string, period: string): Promise<void> {
    const { dialect } = this.database;
    const row = `requested/${name}`;
    // The row is locked without a read before, because two readers of it that both write it would be a deadlock.
    const { affected } = await this.database.write('UPDATE installation SET value = ? WHERE name = ?', [period, row]);
    if (affected > 0) return;
    await this.database.write(`${dialect.insertOrIgnore('installation')} (name, value) VALUES (?, ?)`, [row, period]);
  }

  override async isRunning(name: string, exceptPeriod: string, now: Date): Promise<boolean> {
    const rows = await this.database.read(
      "SELECT 1 FROM job_run WHERE outcome = 'running' AND name = ? AND period <> ? AND leased_until > ? LIMIT 1",
      [name, exceptPeriod, now.getTime()],
    );
    return rows.length > 0;
  }

  override async newest(until: PeriodKeys): Promise<Map<string, LedgerRun>> {
    if (until.size === 0) return new Map();
    const newest = [...until].map(
      (_, index) =>
        `SELECT * FROM (SELECT * FROM job_run WHERE name = ? AND period <= ? ORDER BY period DESC LIMIT 1) AS n${index}`,
    );
    return byName(await this.database.read(newest.join(' UNION ALL '), [...until].flat()));
  }

  override async last(until: PeriodKeys): Promise<Map<string, LedgerRun>> {
    const [rows, periods] = await Promise.all([
      this.database.read(newestWhere('period >= ?'), [REQUESTED]),
      this.newest(until),
    ]);
    const requested = byName(rows);
    const last = new Map(periods);
    for (const [name, run] of requested) {
      const other = periods.get(name);
      if (other === undefined || other.attempts === 0 || other.startedAt <= run.startedAt) last.set(name, run);
    }
    return last;
  }

  override async lastDone(now: Date): Promise<Map<string, Date>> {
    const rows = await this.database.read(
      "SELECT name, MAX(ended_at) AS ended_at FROM job_run WHERE outcome = 'done' AND ended_at <= ? GROUP BY name",
      [now.getTime()],
    );
    return new Map(rows.map((row) => [String(row.name), new Date(Number(row.ended_at))]));
  }

  override async future(after: PeriodKeys): Promise<FuturePeriod[]> {
    const { where, parameters } = periodsAfter(after);
    const rows = await this.database.read(
      `SELECT name, period FROM job_run WHERE ${where} ORDER BY name, period`,
      parameters,
    );
    return rows.map((row) => ({ name: String(row.name), period: String(row.period) }));
  }

  override async claimFutureReport(period: string): Promise<boolean> {
    await this.database.write(`${this.database.dialect.insertOrIgnore('installation')} (name, value) VALUES (?, '')`, [
      FUTURE_REPORTED,
    ]);
    const { affected } = await this.database.write('UPDATE installation SET value = ? WHERE name = ? AND value < ?', [
      period,
      FUTURE_REPORTED,
      period,
    ]);
    return affected === 1;
  }

  override async forgetFuture(after: PeriodKeys): Promise<number> {
    const { where, parameters } = periodsAfter(after);
    const { affected } = await this.database.write(`DELETE FROM job_run WHERE ${where}`, parameters);
    await this.database.write('DELETE FROM installation WHERE name IN (?, ?)', [FUTURE_REPORTED, LAST_WRITE]);
    return affected;
  }

  override async deleteOld(before: Date, limit: number): Promise<number> {
    const done = (bound: string) => newestWhere(`period ${bound} ? AND outcome = 'done'`);
    const kept = await this.database.read(
      [newestWhere('period < ?'), newestWhere('period >= ?'), done('<'), done('>=')]
        .map((sql) => sql.replace('r.*', 'r.name, r.period'))
        .join(' UNION '),
      [REQUESTED, REQUESTED, REQUESTED, REQUESTED],
    );
    const isOther = kept.map(() => ' AND NOT (name = ? AND period = ?)').join('');
    const { affected } = await this.database.write(
      this.database.dialect.deleteSome('job_run', `started_at < ?${isOther}`),
      [before.getTime(), ...kept.flatMap((row) => [String(row.name), String(row.period)]), limit],
    );
    return affected;
  }
}

function byName(rows: Row[]): Map<string, LedgerRun> {
  return new Map(rows.map((row) => [String(row.name), toRun(row)]));
}

/** The condition of the runs of periods after those of `after`. */
function periodsAfter(after: PeriodKeys): { where: string; parameters: Parameter[] } {
  const each = [...after].map(() => '(name = ? AND period > ? AND period < ?)');
  return {
    where: each.join(' OR ') || '1 = 0',
    parameters: [...after].flatMap(([name, period]) => [name, period, REQUESTED]),
  };
}

function keyOf({ name, period, attempts }: RunAttempt): Parameter[] {
  return [name, period, attempts];
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
