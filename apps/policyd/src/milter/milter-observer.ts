export const MILTER_VERDICTS = ['accepted', 'refused', 'deferred', 'unauthenticated'] as const;

/**
 * What became of a message: accepted, refused for good, put off because it could not be checked or counted or there is no
 * room for it now, or passed without a look at its header because nobody logged in.
 */
export type MilterVerdict = (typeof MILTER_VERDICTS)[number];

export interface DecidedMessage {
  verdict: MilterVerdict;
  /** Empty when nobody logged in. */
  login: string;
  /** The mail server's, or empty when it gave none. */
  queueId: string;
  /** What the sender was told; null when the message was accepted. */
  reason: string | null;
  /** Why the check could not be made; null otherwise. */
  cause: unknown;
}

/** Is told what the milter does, for metrics and logs. */
export abstract class MilterObserver {
  abstract decided(message: DecidedMessage): void;
  /** A connection was cut: its other side spoke something else, said too much, or nothing for too long. */
  abstract cut(reason: string): void;
}
