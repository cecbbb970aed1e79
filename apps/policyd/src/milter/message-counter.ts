/** A message that came whole, and that nothing is held against so far. */
export interface WholeMessage {
  /** Empty when nobody logged in. */
  login: string;
  /** Those that the mail server accepted. */
  recipients: readonly string[];
  /** Of its header and body, as they were received. */
  bytes: number;
  /** The mail server's name and its name for the message; empty when it told none. */
  host: string;
  queueId: string;
  /** Of the SMTP client; empty when the mail server told none. */
  clientAddress: string;
  clientPort: string;
}

/** Counts messages that are about to be accepted, and says which must not be. */
export abstract class MessageCounter {
  /** Counts each message once, durably. @returns null when it may pass, else the SMTP reply. Never throws. */
  abstract count(message: WholeMessage): Promise<string | null>;
}
