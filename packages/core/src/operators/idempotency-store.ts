import type { AppError } from '../errors.js';
import type { PartnerScope } from '../partners/partner-scope.js';

/** The response to the first request, stored for repeated requests. */
export interface KeptAnswer {
  status: number;
  body: Record<string, unknown>;
}

/** The stored response of a request, the error that refuses it, or null when it is new. */
export type KeptOutcome = KeptAnswer | AppError | null;

export interface IdempotentRequest {
  /** The caller. The same key from another caller is a different key. */
  caller: string;
  /** The rows that the caller may see now. A response is repeated only while the created row is one of them. */
  scope: PartnerScope;
  key: string;
  /** Method, path and body. Compared by an HMAC; the text is not stored. */
  fingerprint: string;
}

/** The row that the request created. When the caller does not have it any more, a repeated request is a new one. */
export interface KeptSubject {
  table: 'domain' | 'mailbox' | 'alias' | 'api_key';
  id: number;
}

/** A request with the response that is stored for it. */
export interface KeptRequest {
  request: IdempotentRequest;
  answer: KeptAnswer;
  subject: KeptSubject;
}

/**
 * Stores the response to each `Idempotency-Key` for 24 hours.
 *
 * The first request has a lease of 60 s while it runs. Its response is stored in the same unit of work as its change,
 * so that both are committed or neither. A request that fails frees the key.
 */
export abstract class IdempotencyStore {
  /**
   * Reserves the key for a new request, or returns the stored response.
   *
   * @returns the stored response, or null when the caller now has the lease.
   * @throws AppError idempotency_key_reused (another body), idempotency_in_progress (the first request still runs)
   */
  abstract begin(request: IdempotentRequest, now: Date): Promise<KeptAnswer | null>;
  /**
   * Stores the response. Call it inside the unit of work of the change.
   *
   * @param begunAt the `now` of `begin`, which tells one lease of the key from another
   * @throws AppError idempotency_in_progress when the lease has ended and another request has, or had, the key. Its
   *     unit of work must not be committed, so that a process that was frozen meanwhile does not make the change again.
   */
  abstract keep(request: IdempotentRequest, begunAt: Date, answer: KeptAnswer, subject: KeptSubject): Promise<void>;
  /** Frees the key after a request that failed. The lease of another request stays. */
  abstract free(request: IdempotentRequest, begunAt: Date): Promise<void>;
  /**
   * Returns the stored response of each request, without a lock; null when there is none, also when the request runs
   * now. Errors are those of `reserveAll`.
   */
  abstract findAll(requests: readonly IdempotentRequest[], now: Date): Promise<KeptOutcome[]>;
  /**
   * Like `begin` for several requests, in the caller's unit of work. The keys are reserved until its end. Before it
   * ends, the caller must store the responses with `keepAll` and free the other keys with `freeAll`.
   *
   * @returns for each request the stored response, the error that refuses it, or null when its key is now reserved.
   * @throws AppError idempotency_in_progress when another unit of work reserved one of the keys meanwhile.
   */
  abstract reserveAll(requests: readonly IdempotentRequest[], now: Date): Promise<KeptOutcome[]>;
  /** Stores the responses of reserved keys, in the caller's unit of work. */
  abstract keepAll(kept: readonly KeptRequest[]): Promise<void>;
  /** Frees reserved keys, in the caller's unit of work. */
  abstract freeAll(requests: readonly IdempotentRequest[]): Promise<void>;
  /** Deletes rows older than 24 hours. @returns the number of deleted rows. */
  abstract purge(now: Date): Promise<number>;
}
