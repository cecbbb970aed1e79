import type { ScheduleName } from './schedules.js';

/**
 * Every kind of work that happens later: its name and its payload, ids only. Adding a line here makes the
 * compiler ask for a handler and a carriage.
 */
export interface Jobs {
  /** Asks the provider for the domain's identity: starts a verification, or checks a pending one. */
  'domain.verify': { domainId: number };
  /** Deletes the identity of a domain that is gone. */
  'identity.delete': { domainId: number; name: string };
  /** Counts the relay events that wait in the inbox. */
  'relay-events.process': object;
  /** Delivers the notifications that wait in the outbox. */
  'notifications.deliver': object;
  /** Runs a schedule now, by the operator's word. */
  'schedule.run': { name: ScheduleName };
}

export type JobName = keyof Jobs;

/** The queue that carries a job; each has its own room in a worker, so that a long purge never holds up a bounce. */
export const QUEUES = ['verification', 'relay-events', 'notifications', 'schedules'] as const;
export type QueueName = (typeof QUEUES)[number];

interface JobOptions {
  queue: QueueName;
  /** After so many failures the job is dead; it stays in the list of failures with its reason. */
  maxAttempts: number;
  /** The wait after the first failure, milliseconds; it doubles with each further one, up to an hour. */
  firstRetryMs: number;
}

/** How each job travels. */
export const JOB_OPTIONS: Record<JobName, JobOptions> = {
  'domain.verify': { queue: 'verification', maxAttempts: 20, firstRetryMs: 1_000 },
  'identity.delete': { queue: 'verification', maxAttempts: 30, firstRetryMs: 5_000 },
  'relay-events.process': { queue: 'relay-events', maxAttempts: 50, firstRetryMs: 500 },
  'notifications.deliver': { queue: 'notifications', maxAttempts: 50, firstRetryMs: 1_000 },
  'schedule.run': { queue: 'schedules', maxAttempts: 3, firstRetryMs: 10_000 },
};

export function isJobName(name: string): name is JobName {
  return Object.hasOwn(JOB_OPTIONS, name);
}

export interface EnqueueOptions {
  /** Not before this moment; now when left out. */
  runAt?: Date;
  /** The request that asked for it, for the log lines of its attempts. */
  requestId?: string | null;
  /** While a job with this key waits, another is not added; the earlier of the two times wins. */
  key?: string;
}

/**
 * Work to be done after the commit. The job row is written in the unit of work that calls for it: it exists when the
 * change exists. The queue is woken after the commit, and a sweep feeds what is due, so a lost queue loses nothing.
 */
export abstract class JobQueue {
  abstract enqueue<Name extends JobName>(name: Name, payload: Jobs[Name], options?: EnqueueOptions): Promise<void>;
}

/** One attempt at one job. */
interface JobContext {
  requestId: string | null;
  attempt: number;
}

/** What a job did, for its log line and the run ledger. */
export type JobCounts = Record<string, number>;

/** One table, where a missing handler does not compile. Handlers are idempotent: a job may run again after a crash. */
export type JobHandlers = {
  [Name in JobName]: (payload: Jobs[Name], context: JobContext) => Promise<JobCounts | undefined>;
};
