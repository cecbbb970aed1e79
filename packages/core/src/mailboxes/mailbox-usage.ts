import type { Address } from './address.js';

/** What a mailbox holds now. */
export interface StoredMail {
  bytes: number;
  messages: number;
}

/** Asks the mail servers how full a mailbox is. */
export abstract class MailboxUsage {
  /**
   * Never throws, and answers within about a second. Null where nobody can say: no mail server is configured, it does not
   * answer in time, or it does not know the mailbox.
   */
  abstract read(email: Address): Promise<StoredMail | null>;
}

/** Where no mail server is configured. */
export class UnknownUsage extends MailboxUsage {
  override async read(): Promise<null> {
    return null;
  }
}
