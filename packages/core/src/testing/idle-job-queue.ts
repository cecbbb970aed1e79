import { type EnqueueOptions, type JobName, JobQueue, type Jobs } from '../jobs/jobs.js';

/** A queue that runs no jobs; it stores the added jobs for the test. */
export class IdleJobQueue extends JobQueue {
  readonly jobs: { name: JobName; payload: unknown; options: EnqueueOptions }[] = [];

  override async enqueue<Name extends JobName>(
    name: Name,
    payload: Jobs[Name],
    options: EnqueueOptions = {},
  ): Promise<void> {
    this.jobs.push({ name, payload, options });
  }
}
