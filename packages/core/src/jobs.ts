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
}

export type JobName = keyof Jobs;

export interface EnqueueOptions {
  /** Not before this moment; now when left out. */
  runAt?: Date;
  /** While a waiting job has this key, another is not added; the earlier of the two times wins. */
  key?: string;
}

/**
 * Work to be done after the commit. The job row is written in the unit of work that calls for it: it exists when the
 * change exists. The queue is nudged after the commit, and a sweep feeds what is due, so a lost queue loses nothing.
 */
export abstract class JobQueue {
  abstract enqueue<Name extends JobName>(name: Name, payload: Jobs[Name], options?: EnqueueOptions): Promise<void>;
}

/** One attempt at one job. */
export interface JobContext {
  requestId: string | null;
  attempt: number;
}

/** What a job did, for its log line and the run ledger. */
export type JobCounts = Record<string, number>;

/** One table, where a missing handler does not compile. Handlers are idempotent: a job may run again after a crash. */
export type JobHandlers = {
  [Name in JobName]: (payload: Jobs[Name], context: JobContext) => Promise<JobCounts | undefined>;
};
