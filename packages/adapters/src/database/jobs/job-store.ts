import {
  type ClaimedJob,
  COUNTED_JOBS,
  type DeadJob,
  type HeldJob,
  type JobBacklog,
  JobStore,
} from '@mailstead/core/jobs/job-store';
import {
  type EnqueueOptions,
  isJobName,
  JOB_NAMES,
  JOB_OPTIONS,
  type JobName,
  type Jobs,
  QUEUES_WITH_TURNS,
  type QueueName,
} from '@mailstead/core/jobs/jobs';
import { needs } from '@mailstead/core/needs';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { Database, placeholders, type Row, textOrNull } from '../driver/database.js';
import { PartnerTurns } from './partner-turns.js';

const MAX_REASON = 500;

/** Jobs that can be claimed: due and not leased. */
const DUE = "state = 'waiting' AND run_at <= ? AND (leased_until IS NULL OR leased_until <= ?)";
/** The job, while this claim owns it. */
const HELD = 'id = ? AND leased_by = ?';

/** A job that can be claimed. */
interface DueJob {
  id: number;
  partnerId: number;
}

/** The jobs that a claim chose, and whether it started a new round of the partners. */
interface Choice {
  jobs: DueJob[];
  isNewRound: boolean;
}

/** At most `limit` due jobs, except the ones that a claim has already chosen. */
interface Search {
  names: JobName[];
  now: Date;
  without: readonly DueJob[];
  limit: number;
}

@needs(Database, UnitOfWork)
export class SqlJobStore extends JobStore {
  private readonly turns = new Map([...QUEUES_WITH_TURNS].map((queue) => [queue, new PartnerTurns()]));

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
    const { key = null, requestId = null, traceId = null } = options;
    const runAt = (options.runAt ?? now).getTime();
    const domainId = 'domainId' in payload ? payload.domainId : 0;
    await this.database.write(
      `INSERT INTO job (name, payload, unique_key, state, run_at, attempts, request_id, trace_id, created_at, partner_id)
       VALUES (?, ?, ?, 'waiting', ?, 0, ?, ?, ?, COALESCE((SELECT partner_id FROM domain WHERE id = ?), 0))
       ${this.keepEarlier}`,
      [name, JSON.stringify(payload), key, runAt, requestId, traceId, now.getTime(), domainId],
    );
  }

  override async claim(
    queue: QueueName,
    limit: number,
    owner: string,
    now: Date,
    leaseMs: number,
  ): Promise<ClaimedJob[]> {
    const names = JOB_NAMES.filter((name) => JOB_OPTIONS[name].queue === queue);
    const turns = this.turns.get(queue);
    if (turns === undefined) {
      return this.claimOf(() => this.oldest({ names, now, without: [], limit }), owner, now, leaseMs);
    }
    let choice: Choice = { jobs: [], isNewRound: false };
    const choose = async () => {
      choice = await this.inTurn(turns, names, limit, now);
      return choice.jobs;
    };
    const claimed = await this.claimOf(choose, owner, now, leaseMs);
    const partners = choice.jobs.map(({ partnerId }) => partnerId);
    if (choice.isNewRound) turns.startRound(partners);
    else turns.serve(partners);
    return claimed;
  }

  private claimOf(find: () => Promise<DueJob[]>, owner: string, now: Date, leaseMs: number): Promise<ClaimedJob[]> {
    return this.unitOfWork.run(async () => {
      for (;;) {
        const due = await find();
        if (due.length === 0) return [];
        const ids = due.map(({ id }) => id);
        const claimed = await this.take(ids, owner, now, leaseMs);
        // Other processes claimed all of them: search again.
        if (claimed.length > 0) return claimed;
      }
    });
  }

  /** Chooses one job of each partner that has none in this round, then one of each again, then any jobs. */
  private async inTurn(turns: PartnerTurns, names: JobName[], limit: number, now: Date): Promise<Choice> {
    const jobs: DueJob[] = [];
    const { served } = turns;
    const more = () => ({ names, now, without: jobs, limit: limit - jobs.length });
    let areAll = await this.addOneOfEach(jobs, served, more);
    const isNewRound = served.length > 0 && jobs.length < limit;
    if (isNewRound) areAll = await this.addOneOfEach(jobs, [], more);
    if (!areAll && jobs.length < limit) jobs.push(...(await this.oldest(more())));
    return { jobs, isNewRound };
  }

  /**
   * Adds one job of each partner, except the served ones, until the limit is reached or no such partner is left.
   *
   * @returns whether these are all due jobs of partners that are not served
   */
  private async addOneOfEach(jobs: DueJob[], served: readonly number[], more: () => Search): Promise<boolean> {
    const partners = new Set(served);
    let areAll = true;
    while (more().limit > 0) {
      const asked = more().limit;
      const found = await this.oldestExcept([...partners], more());
      for (const job of found) {
        if (partners.has(job.partnerId)) areAll = false;
        else jobs.push(job);
        partners.add(job.partnerId);
      }
      if (found.length < asked) return areAll;
    }
    return false;
  }

  /** Takes no lock, because it passes over any number of jobs of other partners. */
  private oldestExcept(partners: readonly number[], search: Search): Promise<DueJob[]> {
    const condition = partners.length === 0 ? '' : `AND partner_id NOT IN (${placeholders(partners)})`;
    return this.due(search, condition, partners);
  }

  /**
   * Skips jobs that other claims have locked, because that is faster. A claim also locks jobs that it only reads, so
   * when all due jobs are locked, they are read again without a lock.
   */
  private async oldest(search: Search): Promise<DueJob[]> {
    const { skipLocked } = this.database.dialect;
    const unlocked = await this.due(search, '', [], skipLocked);
    return unlocked.length === 0 && skipLocked !== '' ? this.due(search, '', []) : unlocked;
  }

  private async due(search: Search, condition: string, values: readonly number[], lock = ''): Promise<DueJob[]> {
    const { names, now, without, limit } = search;
    const except = without.length === 0 ? '' : `AND id NOT IN (${placeholders(without)})`;
    const rows = await this.database.read(
      `SELECT id, partner_id FROM job
        WHERE ${DUE} AND name IN (${placeholders(names)}) ${condition} ${except} ORDER BY run_at, id LIMIT ?${lock}`,
      [now.getTime(), now.getTime(), ...names, ...values, ...without.map(({ id }) => id), limit],
    );
    return rows.map((row) => ({ id: Number(row.id), partnerId: Number(row.partner_id) }));
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
        sql: `SELECT id, name, payload, attempts, request_id, trace_id FROM job
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

  override async deleteDead(before: Date, limit: number): Promise<number> {
    const { affected } = await this.database.write(
      this.database.dialect.deleteSome('job', "state = 'dead' AND run_at < ?"),
      [before.getTime(), limit],
    );
    return affected;
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

  /** In `ix_job_name`, and no further than the limit. */
  override async waiting(): Promise<Map<JobName, number>> {
    const { dialect } = this.database;
    const ofName = `SELECT COUNT(*) FROM (SELECT 1 AS one FROM job${dialect.byIndex('ix_job_name')} WHERE name = ? AND state = 'waiting' LIMIT ${COUNTED_JOBS}) AS w`;
    const [row = {}] = await this.database.read(
      `SELECT ${JOB_NAMES.map((_, index) => `(${ofName}) AS n${index}`).join(', ')}`,
      JOB_NAMES,
    );
    return new Map(
      JOB_NAMES.map((name, index) => [name, Number(row[`n${index}`])] as const).filter(([, count]) => count > 0),
    );
  }

  /** For an insert with a key that exists: keeps the earlier of the two times. */
  private get keepEarlier(): string {
    const { dialect } = this.database;
    const runAt = dialect.least('run_at', dialect.inserted('run_at'));
    return `${dialect.onConflict(['unique_key'])} run_at = ${runAt}, partner_id = ${dialect.inserted('partner_id')}`;
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
    traceId: textOrNull(row.trace_id),
  } as ClaimedJob;
}
