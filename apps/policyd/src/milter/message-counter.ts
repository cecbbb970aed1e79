/** A message that was received completely and not refused so far. */
export interface WholeMessage {
  /** Empty when nobody logged in. */
  login: string;
  /** The recipients that the mail server accepted. */
  recipients: readonly string[];
  /** The size of header and body as received. */
  bytes: number;
  /** The mail server's name and its queue id of the message; empty when it sent none. */
  host: string;
  queueId: string;
  /** Address and port of the SMTP client; empty when the mail server sent none. */
  clientAddress: string;
  clientPort: string;
}

/** Counts messages before they are accepted, and decides which are not. */
export abstract class MessageCounter {
  /** Counts a message once, durably. @returns null when it may pass, else the SMTP reply. Never throws. */
  abstract count(message: WholeMessage): Promise<string | null>;
}
