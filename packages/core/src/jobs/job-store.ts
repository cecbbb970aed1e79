import type { EnqueueOptions, JobName, Jobs, QueueName } from './jobs.js';

/** A job, and the claim that a runner has on it. */
export interface HeldJob {
  id: number;
  /** The name of the claim. A later claim of the same job has another owner. */
  owner: string;
}

/** A job that a runner has claimed, until its lease ends. */
export type ClaimedJob = {
  [Name in JobName]: HeldJob & {
    name: Name;
    payload: Jobs[Name];
    /** Attempts that failed before this one. */
    attempts: number;
    requestId: string | null;
    traceId: string | null;
  };
}[JobName];

/** A job that failed for the last time. */
export interface DeadJob {
  id: number;
  name: string;
  reason: string;
  attempts: number;
  /** When its last attempt was due. */
  at: Date;
}

/** How many waiting jobs of one name are counted. */
export const COUNTED_JOBS = 20_000;

/** The waiting and dead jobs of one name. */
export interface JobBacklog {
  name: string;
  waiting: number;
  dead: number;
  /** When the oldest due job became due; null when no job is due. */
  oldestDueAt: Date | null;
}

/**
 * Stores the jobs. A job waits until a runner claims it for the time of a lease. It is then deleted when it is done,
 * waits again after a failed attempt, or is dead after the last one. When a lease ends without a renewal, after a
 * crash, the job can be claimed again.
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
   * Claims due jobs of the queue, oldest first; in the queues with turns first one of each partner of whose jobs none
   * was claimed through this store in the present round. When several runners claim at once, on any node of the
   * database, each job goes to only one of them. A claimed job loses its key, so that a new job with the same key can
   * be added while it runs.
   *
   * @param owner a name that no other claim has.
   * @returns at most `limit` jobs; an empty array only when every due job of the queue is claimed.
   */
  abstract claim(queue: QueueName, limit: number, owner: string, now: Date, leaseMs: number): Promise<ClaimedJob[]>;
  /** Extends the lease. @returns false when this claim no longer has the job. */
  abstract renew(job: HeldJob, until: Date): Promise<boolean>;
  /** Deletes the job. This method and the next three change nothing when this claim no longer has the job. */
  abstract complete(job: HeldJob): Promise<void>;
  /** Makes the job wait again after a failed attempt; it is due at `runAt`. */
  abstract retry(job: HeldJob, reason: string, runAt: Date): Promise<void>;
  /** Like `retry`, but the attempt is not counted. */
  abstract postpone(job: HeldJob, reason: string, runAt: Date): Promise<void>;
  /** Marks the job as dead; it stays in the list of dead jobs. */
  abstract markDead(job: HeldJob, reason: string): Promise<void>;
  /** The queues with a due job that is not claimed. */
  abstract dueQueues(now: Date): Promise<QueueName[]>;
  /** The newest dead jobs. */
  abstract dead(limit: number): Promise<DeadJob[]>;
  /**
   * Deletes dead jobs whose last attempt was due before `before`, at most `limit`. @returns the number of deleted jobs
   */
  abstract deleteDead(before: Date, limit: number): Promise<number>;
  abstract backlog(now: Date): Promise<JobBacklog[]>;
  /**
   * How many jobs of each name wait, are tried again later, or run now, up to `COUNTED_JOBS`. A name without any is
   * left out.
   */
  abstract waiting(): Promise<Map<JobName, number>>;
}
