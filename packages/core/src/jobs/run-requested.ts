import { Clock, SECOND_MS } from '../clock.js';
import { needs } from '../needs.js';
import { UnitOfWork } from '../unit-of-work.js';
import { AttemptRun, RUN_LEASE_MS } from './attempt-run.js';
import { type JobContext, type JobCounts, JobQueue } from './jobs.js';
import { RunLedger, requestedPeriod } from './run-ledger.js';
import { isScheduleName, ScheduleHandlers, type ScheduleName } from './schedules.js';

/** The wait before a requested run tries again to begin, while another run of the schedule is in progress. */
const BUSY_RETRY_MS = 30 * SECOND_MS;

/**
 * Runs a schedule on an operator's request, as often as it is requested. The run has its own row in the ledger and is
 * not the run of any period. It begins after other runs of the same schedule have ended; requests that wait meanwhile
 * share one run. A schedule of a later release, which runs beside this one during an update, waits for one of its
 * processes.
 */
@needs(UnitOfWork, RunLedger, ScheduleHandlers, JobQueue, Clock)
export class RunRequested {
  private readonly attempts: AttemptRun;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: RunLedger,
    handlers: ScheduleHandlers,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {
    this.attempts = new AttemptRun(ledger, handlers, clock);
  }

  /** @throws the error of the run, so that its job is tried again. */
  async execute(name: ScheduleName, { jobId, requestId }: JobContext): Promise<JobCounts> {
    if (!isScheduleName(name)) {
      await this.again(name, this.clock.now(), requestId);
      return { postponed: 1 };
    }
    const period = requestedPeriod(jobId);
    const begun = await this.unitOfWork.run(async () => {
      await this.ledger.lockRequested(name, period);
      const now = this.clock.now();
      if (!(await this.ledger.isRunning(name, period, now))) {
        return { run: await this.ledger.beginRequested(name, period, now, RUN_LEASE_MS) };
      }
      await this.again(name, now, requestId);
      return null;
    });
    if (begun === null) return { postponed: 1 };
    // The run ended, but the process crashed before it deleted the job.
    if (begun.run === null) return (await this.ledger.find(name, period))?.counts ?? {};
    const attempt = await this.attempts.execute(name, this.clock.now(), begun.run);
    if (attempt.outcome === 'failed') throw attempt.error;
    return attempt.counts;
  }

  private again(name: ScheduleName, now: Date, requestId: string | null): Promise<void> {
    const runAt = new Date(now.getTime() + BUSY_RETRY_MS);
    return this.jobs.enqueue('schedule.run', { name }, { key: runKey(name), runAt, requestId });
  }
}

/** The key of the job: requests that wait for the same schedule share one job. */
export function runKey(name: ScheduleName): string {
  return `schedule.run/${name}`;
}
