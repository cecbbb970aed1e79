import type { ScheduleName } from './schedules.js';

/**
 * All kinds of jobs: the name and the payload, which contains ids and names only. A job is work that runs once, later,
 * outside the request that added it. A new line here does not compile until the job has options and a handler.
 */
export interface Jobs {
  /** Starts the verification of a domain at the relay provider, or checks a pending one. */
  'domain.verify': { domainId: number };
  /** Moves what is left of a domain whose deletion has begun, when its request was interrupted. */
  'domain.delete': { domainId: number };
  /** Looks at the records of the domains that are due, and enqueues itself for those that are due next. */
  'dns.look': object;
  /** Deletes the identity of a deleted domain at the relay provider. */
  'identity.delete': { domainId: number; name: string };
  /**
   * Gives the next identity the configuration set of the settings and the tenant of its partner, partners in turn, and
   * enqueues itself until none is due.
   */
  'identities.align': { afterPartnerId: number };
  /** Brings the tenant of a partner to the status that master asked for, and reads what holds at the relay provider. */
  'tenant.check': { partnerId: number };
  /** Takes an address off the list of addresses to which the account at the relay provider does not send. */
  'suppression.lift': { address: string };
  /** Takes a lifted address off the list of the partner's tenant at the relay provider. */
  'suppression.lift-tenant': { suppressionId: number };
  /** Processes the relay events that wait in the inbox. */
  'relay-events.process': object;
  /** Joins relay events to trails that were not reported when the events were processed. */
  'trail.join': { eventIds: number[]; tries: number };
  /** Delivers the notifications that wait in the outbox. */
  'notifications.deliver': object;
  /**
   * Ends open IMAP and POP3 sessions at one mail server: of the mailbox or domain of this name, or with null of all
   * domains whose mail is stopped. By name, because a deleted one has no row.
   */
  'mail-sessions.end': { server: string; name: string | null; domainId: number };
  /** Marks the limits of a domain and of those that are linked to it, or with null of all, after a change of them. */
  'limits.mark': { domainId: number | null };
  /** Runs a schedule now, on the operator's request. */
  'schedule.run': { name: ScheduleName };
}

export type JobName = keyof Jobs;

/** The queues. Each queue has its own workers in every process that runs jobs, so that no queue waits for another. */
export const QUEUES = ['verification', 'relay-events', 'notifications', 'mail-sessions', 'schedules'] as const;
export type QueueName = (typeof QUEUES)[number];

/** The queues in which partners take turns: one job of each partner that has due jobs, then the next one of each. */
export const QUEUES_WITH_TURNS: ReadonlySet<QueueName> = new Set(['verification', 'mail-sessions']);

interface JobOptions {
  queue: QueueName;
  /** After this number of failed attempts the job is dead and stays in the list of dead jobs with its reason. */
  maxAttempts: number;
  /** The backoff after the first failed attempt, milliseconds. It doubles with each further attempt, up to an hour. */
  firstRetryMs: number;
}

/** The queue, attempts and backoff of each job. */
export const JOB_OPTIONS: Record<JobName, JobOptions> = {
  'domain.verify': { queue: 'verification', maxAttempts: 20, firstRetryMs: 1_000 },
  'domain.delete': { queue: 'verification', maxAttempts: 30, firstRetryMs: 5_000 },
  'identity.delete': { queue: 'verification', maxAttempts: 30, firstRetryMs: 5_000 },
  'identities.align': { queue: 'verification', maxAttempts: 20, firstRetryMs: 30_000 },
  'tenant.check': { queue: 'verification', maxAttempts: 30, firstRetryMs: 5_000 },
  'suppression.lift': { queue: 'verification', maxAttempts: 30, firstRetryMs: 5_000 },
  'suppression.lift-tenant': { queue: 'verification', maxAttempts: 30, firstRetryMs: 5_000 },
  'relay-events.process': { queue: 'relay-events', maxAttempts: 50, firstRetryMs: 500 },
  'trail.join': { queue: 'relay-events', maxAttempts: 20, firstRetryMs: 5_000 },
  'notifications.deliver': { queue: 'notifications', maxAttempts: 50, firstRetryMs: 1_000 },
  'mail-sessions.end': { queue: 'mail-sessions', maxAttempts: 20, firstRetryMs: 1_000 },
  'dns.look': { queue: 'schedules', maxAttempts: 20, firstRetryMs: 10_000 },
  'limits.mark': { queue: 'schedules', maxAttempts: 20, firstRetryMs: 1_000 },
  'schedule.run': { queue: 'schedules', maxAttempts: 3, firstRetryMs: 10_000 },
};

export const JOB_NAMES = Object.keys(JOB_OPTIONS) as JobName[];

export function isJobName(name: string): name is JobName {
  return Object.hasOwn(JOB_OPTIONS, name);
}

export interface EnqueueOptions {
  /** The earliest start; the default is now. */
  runAt?: Date;
  /** The request that added the job, for the log lines of its attempts. */
  requestId?: string | null;
  /** The trace in which the job was added, for the log lines of its attempts. */
  traceId?: string | null;
  /** While a job with this key waits, no second one is added; the waiting job keeps the earlier of the two times. */
  key?: string;
}

/**
 * Adds jobs. The job row is written in the caller's unit of work, so that the change and its job are committed together
 * or not at all. The queue is woken after the commit.
 */
export abstract class JobQueue {
  abstract enqueue<Name extends JobName>(name: Name, payload: Jobs[Name], options?: EnqueueOptions): Promise<void>;
}

/** One attempt at one job. */
export interface JobContext {
  jobId: number;
  requestId: string | null;
  /** 1 for the first attempt. */
  attempt: number;
}

/** The counts of a job or a schedule run, for its log line and the run ledger. */
export type JobCounts = Record<string, number>;

/**
 * The handler of each job; a missing handler does not compile. Handlers are idempotent: a job may run again after a
 * crash.
 */
export type JobHandlers = {
  [Name in JobName]: (payload: Jobs[Name], context: JobContext) => Promise<JobCounts | undefined>;
};
