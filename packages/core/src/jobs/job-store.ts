import type { EnqueueOptions, JobName, Jobs, QueueName } from './jobs.js';

/** A job that this process has for the time of its lease. */
export type ClaimedJob = {
  [Name in JobName]: { id: number; name: Name; payload: Jobs[Name]; attempts: number; requestId: string | null };
}[JobName];

export interface DeadJob {
  id: number;
  name: string;
  reason: string;
  attempts: number;
  at: Date;
}

/** How much waits of a job, and since when the oldest is due. */
export interface JobBacklog {
  name: string;
  waiting: number;
  dead: number;
  oldestDueAt: Date | null;
}

/** The job rows: the truth about what must be done. A job whose lease ran out, after a crash, may be claimed again. */
export abstract class JobStore {
  /** In the caller's unit of work. */
  abstract add<Name extends JobName>(
    name: Name,
    payload: Jobs[Name],
    options: EnqueueOptions,
    now: Date,
  ): Promise<void>;
  /** Claims up to `limit` due jobs of the queue, oldest first. Each job is one claimer's only; its key is free again. */
  abstract claim(queue: QueueName, limit: number, owner: string, now: Date, leaseMs: number): Promise<ClaimedJob[]>;
  /** Prolongs a lease. False when it is another's by now. */
  abstract renew(id: number, owner: string, until: Date): Promise<boolean>;
  abstract complete(id: number, owner: string): Promise<void>;
  abstract retry(id: number, owner: string, reason: string, runAt: Date): Promise<void>;
  /** As `retry`; the attempt does not count. */
  abstract postpone(id: number, owner: string, reason: string, runAt: Date): Promise<void>;
  abstract markDead(id: number, owner: string, reason: string): Promise<void>;
  /** When the next waiting job of any queue is due; null when none waits. */
  abstract nextRunAt(): Promise<Date | null>;
  /** The queues that have something due. */
  abstract dueQueues(now: Date): Promise<QueueName[]>;
  /** The newest dead jobs. */
  abstract dead(limit: number): Promise<DeadJob[]>;
  abstract backlog(now: Date): Promise<JobBacklog[]>;
}
