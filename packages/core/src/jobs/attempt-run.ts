import { type Clock, MINUTE_MS } from '../clock.js';
import { isDatabaseOutage, reasonOf } from '../errors.js';
import type { JobCounts } from './jobs.js';
import type { LedgerRun, RunLedger } from './run-ledger.js';
import type { ScheduleHandlers, ScheduleName } from './schedules.js';

/**
 * The lease of a run. A running process renews it; after a crash, another process may begin the run again when the
 * lease has ended.
 */
export const RUN_LEASE_MS = 2 * MINUTE_MS;
const RENEW_EVERY_MS = RUN_LEASE_MS / 4;
/** The backoff after the first failed attempt. It doubles with each further attempt; eight attempts take two hours. */
const FIRST_RETRY_MS = MINUTE_MS;

/** The outcome of an attempt, which is also stored in the run ledger. */
type AttemptOutcome = { outcome: 'done'; counts: JobCounts } | { outcome: 'failed'; error: unknown };

/** Makes an attempt at a run of a schedule that the ledger has given to this process. */
export class AttemptRun {
  constructor(
    private readonly ledger: RunLedger,
    private readonly handlers: ScheduleHandlers,
    private readonly clock: Clock,
  ) {}

  /** @throws the error of the ledger when it cannot store the outcome. */
  async execute(name: ScheduleName, dueAt: Date, run: LedgerRun): Promise<AttemptOutcome> {
    const leasedUntil = () => new Date(this.clock.now().getTime() + RUN_LEASE_MS);
    const renewal = setInterval(() => {
      void this.ledger.renew(run, leasedUntil()).catch(() => undefined);
    }, RENEW_EVERY_MS).unref();
    try {
      const save = (cursor: number) => this.ledger.save(run, cursor, leasedUntil());
      const counts = await this.handlers[name]({ period: { key: run.period, dueAt }, cursor: run.cursor, save });
      await this.ledger.complete(run, counts, this.clock.now());
      return { outcome: 'done', counts };
    } catch (error) {
      await this.fail(run, error);
      return { outcome: 'failed', error };
    } finally {
      clearInterval(renewal);
    }
  }

  private async fail(run: LedgerRun, error: unknown): Promise<void> {
    const reason = reasonOf(error);
    const now = this.clock.now();
    const after = (delayMs: number) => new Date(now.getTime() + delayMs);
    if (isDatabaseOutage(error)) await this.ledger.postpone(run, reason, now, after(FIRST_RETRY_MS));
    else await this.ledger.fail(run, reason, now, after(FIRST_RETRY_MS * 2 ** (run.attempts - 1)));
  }
}
