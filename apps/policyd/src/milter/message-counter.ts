/** A message that was received completely and is not refused yet. */
export interface WholeMessage {
  /** Empty for a message without a login. */
  login: string;
  /** The accepted recipients. */
  recipients: readonly string[];
  /** The sender addresses in the headers, in lower case; none without a login. */
  claims: readonly string[];
  /** The size of header and body as received. */
  bytes: number;
  /** The mail server's name; empty when it sent none. */
  host: string;
  /** The mail server's queue id of the message; empty when it sent none. */
  queueId: string;
  /** Address and port of the SMTP client; empty when the mail server sent none. */
  clientAddress: string;
  clientPort: string;
}

/** Counts messages and decides whether they are accepted, also by their senders. */
export abstract class MessageCounter {
  /** Counts a message once, durably. Never throws. @returns null when the message may pass, else the SMTP reply. */
  abstract count(message: WholeMessage): Promise<string | null>;
}
