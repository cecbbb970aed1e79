import type { PartnerScope } from '../partners/partner.js';

/**
 * Hashes mailbox passwords off the main thread, in a form that Dovecot verifies. Partners take turns, by who asks: an
 * operator's requests count as the operators' (`all`), whosever mailbox they change.
 */
export abstract class PasswordHasher {
  /**
   * @param signal given when nobody waits for the hash any more; a hash that has begun is finished all the same
   * @throws AppError `hashing_busy` when too many hashes of this partner wait, `overloaded` when too many wait in all,
   * `request_cancelled` when the signal was given before the hash began
   */
  abstract hash(scope: PartnerScope, password: string, signal: AbortSignal): Promise<string>;
}
