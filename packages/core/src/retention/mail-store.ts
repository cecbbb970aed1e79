import type { DomainName } from '../domains/domain-name.js';
import { AppError } from '../errors.js';
import type { StoredMailbox } from '../mailboxes/stored-mailbox.js';

/** How much a purge removed, or would remove. */
export interface PurgeCounts {
  messages: number;
  bytes: number;
}

/**
 * The stored mail of the mail servers. Every method throws AppError `mail_store_unavailable` when the store does not
 * respond or cannot do the work. Mail that was already removed stays removed, and the next call continues.
 */
export abstract class MailStore {
  /** False when no mail store is configured. Every method then throws, and the operator must remove stored mail. */
  readonly isConfigured: boolean = true;

  /**
   * Removes the messages that were saved before `savedBefore` from all folders of these mailboxes of one domain. The
   * Date header is not used. With `dryRun`, counts the messages that would be removed, and removes nothing. A mailbox
   * without stored mail counts as 0.
   */
  abstract purge(
    domain: DomainName,
    mailboxes: AsyncIterable<StoredMailbox[]>,
    savedBefore: Date,
    dryRun: boolean,
  ): Promise<PurgeCounts>;

  /** Removes all stored mail of one mailbox that no longer exists. A missing home is not an error. */
  abstract removeHome(mailbox: StoredMailbox): Promise<PurgeCounts>;
}

/** Used when MAIL_STORE is not set. */
export class NoMailStore extends MailStore {
  override readonly isConfigured = false;

  override async purge(): Promise<never> {
    throw mailStoreNotConfigured();
  }

  override async removeHome(): Promise<never> {
    throw mailStoreNotConfigured();
  }
}

export function mailStoreNotConfigured(): AppError {
  return new AppError('mail_store_unavailable', {
    detail: 'MAIL_STORE is not set, so stored mail cannot be read',
  });
}
