import { Clock } from '@mailstead/core/clock';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { type EnqueueOptions, JOB_OPTIONS, type JobName, JobQueue, type Jobs } from '@mailstead/core/jobs/jobs';
import { needs } from '@mailstead/core/needs';
import { currentTraceId } from '@mailstead/core/trace';
import { UnitOfWork } from '@mailstead/core/unit-of-work';

/** Inserts jobs in the caller's unit of work and in its trace, and wakes their queue after the commit. */
@needs(JobStore, JobWaker, UnitOfWork, Clock)
export class StoredJobQueue extends JobQueue {
  constructor(
    private readonly store: JobStore,
    private readonly waker: JobWaker,
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
    await this.store.add(name, payload, { traceId: currentTraceId(), ...options }, now);
    this.unitOfWork.afterCommit(() => this.waker.wake(JOB_OPTIONS[name].queue, options.runAt ?? now));
  }
}
