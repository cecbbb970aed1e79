/** A message that was received completely and is not refused yet. */
export interface WholeMessage {
  /** Empty for a message without a login. */
  login: string;
  /**
   * The accepted recipients, one entry for each copy that the mail server makes (for an alias, of each destination).
   */
  recipients: readonly string[];
  /** The sender addresses in the headers, in lower case; none without a login. */
  claims: readonly string[];
  /** A read receipt (RFC 8098) of a login. */
  receipt: boolean;
  /** The size of header and body as received. */
  bytes: number;
  /** The mail server's name; empty when it sent none. */
  host: string;
  /** The mail server's queue id of the message; empty when it sent none. */
  queueId: string;
  /** Address and port of the SMTP client; empty when the mail server sent none. */
  clientAddress: string;
  clientPort: string;
  /** When the SMTP session began, by `performance.now()`; before its login. */
  sessionBegan: number;
}

/** A header field. The name and the value are ASCII, on one line. */
export interface HeaderField {
  name: string;
  value: string;
}

export interface CountedMessage {
  /** Null when the message may pass, else the SMTP reply. */
  reply: string | null;
  /** The fields that the message gets when it passes. */
  added: readonly HeaderField[];
  /** Whether a copy leaves the platform. Also true when that is not known. */
  leaves: boolean;
}

/** Counts messages and decides whether they are accepted, also by their senders. */
export abstract class MessageCounter {
  /** Counts a message once, durably. Never throws. */
  abstract count(message: WholeMessage): Promise<CountedMessage>;
}
