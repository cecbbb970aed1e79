import type { Address } from './address.js';

/** The stored mail of a mailbox. */
export interface StoredMail {
  bytes: number;
  messages: number;
}

/** Reads the size of a mailbox's stored mail from the mail servers. */
export abstract class MailboxUsage {
  /** False when no mail server is configured. No size is known then. */
  readonly isConfigured: boolean = true;

  /**
   * Never throws, and returns within about a second. Null when the size is not known: no mail server is configured, it does
   * not respond in time, or it does not know the mailbox.
   */
  abstract read(email: Address): Promise<StoredMail | null>;
}

/** Used when no mail server is configured. */
export class UnknownUsage extends MailboxUsage {
  override readonly isConfigured = false;

  override async read(): Promise<null> {
    return null;
  }
}
