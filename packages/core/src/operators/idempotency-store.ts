/** The response to the first request, stored for repeated requests. */
export interface KeptAnswer {
  status: number;
  body: Record<string, unknown>;
}

export interface IdempotentRequest {
  /** The caller. The same key from another caller is a different key. */
  caller: string;
  key: string;
  /** Method, path and body. Compared by an HMAC; the text is not stored. */
  fingerprint: string;
}

/** The row that the request created. When the row has been deleted, a repeated request creates it again. */
export interface KeptSubject {
  table: 'domain' | 'mailbox' | 'alias' | 'api_key';
  id: number;
}

/**
 * Stores the response to each `Idempotency-Key` for 24 hours.
 *
 * The first request has a lease of 60 s while it runs. Its response is stored in the same unit of work as its change, so that
 * both are committed or neither. A request that fails frees the key.
 */
export abstract class IdempotencyStore {
  /**
   * Reserves the key for a new request, or returns the stored response.
   *
   * @returns the stored response, or null when the caller now has the lease.
   * @throws AppError idempotency_key_reused (another body), idempotency_in_progress (the first request still runs)
   */
  abstract begin(request: IdempotentRequest, now: Date): Promise<KeptAnswer | null>;
  /** Stores the response. Call it inside the unit of work of the change. */
  abstract keep(request: IdempotentRequest, answer: KeptAnswer, subject: KeptSubject): Promise<void>;
  /** Frees the key after a request that failed. */
  abstract free(request: IdempotentRequest): Promise<void>;
  /** Deletes rows older than 24 hours. @returns the number of deleted rows. */
  abstract purge(now: Date): Promise<number>;
}
