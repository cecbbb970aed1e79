import type { DomainName } from '../domains/domain-name.js';
import { AppError } from '../errors.js';

/** What a purge removed, or would remove. */
export interface PurgeCounts {
  messages: number;
  bytes: number;
}

export interface StoredMailbox {
  email: string;
  /** The random 32 hex digits of the mailbox row; its mail lives in `<root>/<first 2>/<all 32>`. */
  home: string;
}

/**
 * The stored mail of the mail servers. Every method throws AppError `mail_store_unavailable` when the store cannot answer or
 * do it. What was removed by then stays removed, and the next call continues.
 */
export abstract class MailStore {
  /** False: someone else removes stored mail, and every method throws. */
  readonly isConfigured: boolean = true;

  /**
   * Removes the messages of these mailboxes of one domain that were saved (not: dated) before `savedBefore`, in every folder.
   * With `dryRun` nothing is removed, and the counts say what would be removed. A mailbox without stored mail counts 0.
   */
  abstract purge(
    domain: DomainName,
    mailboxes: AsyncIterable<StoredMailbox[]>,
    savedBefore: Date,
    dryRun: boolean,
  ): Promise<PurgeCounts>;

  /** Removes the whole stored mail of one mailbox that no longer exists. A missing home is success. */
  abstract removeHome(mailbox: StoredMailbox): Promise<PurgeCounts>;
}

/** Where MAIL_STORE is not set. */
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
    detail: 'MAIL_STORE is not set, so there is no stored mail to look at',
  });
}
