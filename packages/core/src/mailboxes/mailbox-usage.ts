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
   * Never throws, and returns within about a second.
   *
   * @returns `no_mailbox` when the mail server does not know the mailbox; `no_answer` when there is no mail server, or
   * it does not respond in time
   */
  abstract ask(email: Address): Promise<StoredMail | 'no_mailbox' | 'no_answer'>;

  /** Like `ask`; null when the size is not known. */
  async read(email: Address): Promise<StoredMail | null> {
    const answer = await this.ask(email);
    return typeof answer === 'string' ? null : answer;
  }
}

/** Used when no mail server is configured. */
export class UnknownUsage extends MailboxUsage {
  override readonly isConfigured = false;

  override async ask(): Promise<'no_answer'> {
    return 'no_answer';
  }
}
