import type { EnqueueOptions, JobName, Jobs, QueueName } from './jobs.js';

/** Names a job and the claim by which it is held. */
export interface HeldJob {
  id: number;
  /** The claim that took the job; a later claim of the same job has another owner. */
  owner: string;
}

/** A job that a runner holds until its lease ends. */
export type ClaimedJob = {
  [Name in JobName]: HeldJob & {
    name: Name;
    payload: Jobs[Name];
    /** Attempts that failed before this one. */
    attempts: number;
    requestId: string | null;
  };
}[JobName];

/** A job that was given up. */
export interface DeadJob {
  id: number;
  name: string;
  reason: string;
  attempts: number;
  /** When its last attempt was due. */
  at: Date;
}

/** The waiting and dead jobs of one name. */
export interface JobBacklog {
  name: string;
  waiting: number;
  dead: number;
  /** When the oldest job that is due became due; null when none is. */
  oldestDueAt: Date | null;
}

/**
 * The job rows, which alone decide what must be done. A job waits, is held by one runner for the time of a lease, and is
 * deleted when it is done, waits again after a failure, or is dead. When a lease ends unrenewed, after a crash, the job may
 * be claimed again.
 */
export abstract class JobStore {
  /** Adds a row in the caller's unit of work. */
  abstract add<Name extends JobName>(
    name: Name,
    payload: Jobs[Name],
    options: EnqueueOptions,
    now: Date,
  ): Promise<void>;
  /**
   * Claims due jobs of the queue, oldest first. Of several claimers at once, on any node of the database, one gets each job.
   * A claimed job gives up its key, so that the same work can be asked for again while it runs.
   *
   * @param owner a name that no other claim has.
   * @returns at most `limit` jobs; none only when no due job is left that nobody holds.
   */
  abstract claim(queue: QueueName, limit: number, owner: string, now: Date, leaseMs: number): Promise<ClaimedJob[]>;
  /** Prolongs the lease. @returns false when the job is no longer held by this claim. */
  abstract renew(job: HeldJob, until: Date): Promise<boolean>;
  /** Deletes the job. This and the next three change nothing when the job is no longer held by this claim. */
  abstract complete(job: HeldJob): Promise<void>;
  /** Gives the job back after a failed attempt; it is due again at `runAt`. */
  abstract retry(job: HeldJob, reason: string, runAt: Date): Promise<void>;
  /** As `retry`, but the attempt does not count. */
  abstract postpone(job: HeldJob, reason: string, runAt: Date): Promise<void>;
  /** Gives the job up; it stays in the list of dead jobs. */
  abstract markDead(job: HeldJob, reason: string): Promise<void>;
  /** The queues that have a due job that nobody holds. */
  abstract dueQueues(now: Date): Promise<QueueName[]>;
  /** The newest dead jobs. */
  abstract dead(limit: number): Promise<DeadJob[]>;
  abstract backlog(now: Date): Promise<JobBacklog[]>;
}
