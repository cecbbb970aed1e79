/** The first answer to a request, kept for its repeats. */
export interface KeptAnswer {
  status: number;
  body: Record<string, unknown>;
}

export interface IdempotentRequest {
  /** Who sends the request: the same key of another caller is another key. */
  caller: string;
  key: string;
  /** Method, path and body; compared by an HMAC, never stored. */
  fingerprint: string;
}

/** What the request created. When it was deleted since, a repeat creates it again. */
export interface KeptSubject {
  table: 'domain' | 'mailbox' | 'alias' | 'api_key';
  id: number;
}

/**
 * Remembers for 24 hours what an `Idempotency-Key` was answered.
 *
 * A running first request holds a lease of 60 s. Its answer is kept in the unit of work of its effect, so that one
 * does not exist without the other; anything but success frees the key.
 */
export abstract class IdempotencyStore {
  /**
   * Takes the key for a new request, or finds the kept answer.
   *
   * @returns the kept answer, or null when the caller holds the lease now.
   * @throws AppError idempotency_key_reused (another body), idempotency_in_progress (the first is running)
   */
  abstract begin(request: IdempotentRequest, now: Date): Promise<KeptAnswer | null>;
  /** Keeps the answer. Called inside the unit of work of the effect. */
  abstract keep(request: IdempotentRequest, answer: KeptAnswer, subject: KeptSubject): Promise<void>;
  /** Frees the key after a request that failed. */
  abstract free(request: IdempotentRequest): Promise<void>;
  /** Removes what is older than 24 hours. @returns how many rows went. */
  abstract purge(now: Date): Promise<number>;
}
