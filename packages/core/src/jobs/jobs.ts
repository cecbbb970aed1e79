import type { ScheduleName } from './schedules.js';

/**
 * Every kind of job: its name and its payload, which holds ids only. A job is work that runs once, later, outside the
 * request that asked for it. A new line here makes the compiler ask for its options and its handler.
 */
export interface Jobs {
  /** Asks the relay provider for the domain's identity: starts a verification, or checks a pending one. */
  'domain.verify': { domainId: number };
  /** Deletes the identity of a deleted domain at the relay provider. */
  'identity.delete': { domainId: number; name: string };
  /** Processes the relay events that wait in the inbox. */
  'relay-events.process': object;
  /** Delivers the notifications that wait in the outbox. */
  'notifications.deliver': object;
  /** Runs a schedule now, on the operator's request. */
  'schedule.run': { name: ScheduleName };
}

export type JobName = keyof Jobs;

/** The queues. Each has slots of its own in every process that runs jobs, so that no queue waits for another. */
export const QUEUES = ['verification', 'relay-events', 'notifications', 'schedules'] as const;
export type QueueName = (typeof QUEUES)[number];

interface JobOptions {
  queue: QueueName;
  /** After so many failed attempts the job is dead. It stays in the list of failures with its reason. */
  maxAttempts: number;
  /** The backoff after the first failed attempt, milliseconds. It doubles with each further one, up to an hour. */
  firstRetryMs: number;
}

/** The queue, attempts and backoff of each job. */
export const JOB_OPTIONS: Record<JobName, JobOptions> = {
  'domain.verify': { queue: 'verification', maxAttempts: 20, firstRetryMs: 1_000 },
  'identity.delete': { queue: 'verification', maxAttempts: 30, firstRetryMs: 5_000 },
  'relay-events.process': { queue: 'relay-events', maxAttempts: 50, firstRetryMs: 500 },
  'notifications.deliver': { queue: 'notifications', maxAttempts: 50, firstRetryMs: 1_000 },
  'schedule.run': { queue: 'schedules', maxAttempts: 3, firstRetryMs: 10_000 },
};

export const JOB_NAMES = Object.keys(JOB_OPTIONS) as JobName[];

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
 * Adds jobs. The job row is written in the caller's unit of work, so that the job exists exactly when the change does. The
 * queue is woken after the commit.
 */
export abstract class JobQueue {
  abstract enqueue<Name extends JobName>(name: Name, payload: Jobs[Name], options?: EnqueueOptions): Promise<void>;
}

/** One attempt at one job. */
export interface JobContext {
  requestId: string | null;
  /** 1 for the first. */
  attempt: number;
}

/** What a job or a schedule did, for its log line and the run ledger. */
export type JobCounts = Record<string, number>;

/** One handler a job; a missing one does not compile. Handlers are idempotent: a job may run again after a crash. */
export type JobHandlers = {
  [Name in JobName]: (payload: Jobs[Name], context: JobContext) => Promise<JobCounts | undefined>;
};
