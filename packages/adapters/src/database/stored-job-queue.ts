import type { Clock } from '@mailstead/core/clock';
import type { JobNudge } from '@mailstead/core/job-nudge';
import type { JobStore } from '@mailstead/core/job-store';
import { CARRIAGE, type EnqueueOptions, type JobName, JobQueue, type Jobs } from '@mailstead/core/jobs';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';

/** Writes job rows in the caller's unit of work, and nudges the runner after the commit. */
export class StoredJobQueue extends JobQueue {
  constructor(
    private readonly store: JobStore,
    private readonly nudge: JobNudge,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async enqueue<Name extends JobName>(
    name: Name,
    payload: Jobs[Name],
    options: EnqueueOptions = {},
  ): Promise<void> {
    const now = this.clock.now();
    await this.store.add(name, payload, options, now);
    this.unitOfWork.afterCommit(() => this.nudge.nudge(CARRIAGE[name].lane, options.runAt ?? now));
  }
}
