/**
 * The outcome of a message: accepted, refused permanently, deferred because it could not be checked or counted or a
 * limit is reached, or accepted without a check of its header because nobody logged in.
 */
type MilterVerdict = 'accepted' | 'refused' | 'deferred' | 'unauthenticated';

export interface DecidedMessage {
  verdict: MilterVerdict;
  /** Empty when nobody logged in. */
  login: string;
  /** The mail server's queue id; empty when it sent none. */
  queueId: string;
  /** The SMTP reply to the sender; null when the message was accepted. */
  reason: string | null;
  /** The error that prevented the check; null otherwise. */
  cause: unknown;
}

/** Receives the events of the milter, for metrics and logs. */
export abstract class MilterObserver {
  abstract decided(message: DecidedMessage): void;
  /** A connection was closed because its other side broke the protocol, exceeded a limit or was idle for too long. */
  abstract cut(reason: string): void;
}
