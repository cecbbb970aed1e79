/**
 * - `accepted`: the message passes.
 * - `refused`: permanently.
 * - `deferred`: the message cannot be checked and counted now, or a limit is reached.
 * - `unauthenticated`: accepted without a login, so the header was not checked.
 */
export type MilterVerdict = 'accepted' | 'refused' | 'deferred' | 'unauthenticated';

export interface DecidedMessage {
  verdict: MilterVerdict;
  /** Empty for a message without a login. */
  login: string;
  /** The mail server's queue id; empty when it sent none. */
  queueId: string;
  /** The SMTP reply to the sender; null when the message was accepted. */
  reason: string | null;
}

/** Receives the events of the milter, for metrics and logs. */
export abstract class MilterObserver {
  abstract decided(message: DecidedMessage): void;
  /** A connection was closed because the mail server broke the protocol, exceeded a limit or was idle for too long. */
  abstract cut(reason: string): void;
}
