import type { AttemptOutcome } from './webhook-endpoints.js';

/** The end of one POST. */
export interface SendResult {
  outcome: Exclude<AttemptOutcome, 'challenge'>;
  /** The HTTP status; null without an answer. */
  status: number | null;
  /** The beginning of the answer's body, when it was asked for. */
  answer: string;
}

export interface SendOptions {
  /** The most bytes of the answer that are read. */
  readBytes: number;
  /** Ends the attempt without a result. */
  signal: AbortSignal;
}

/** Posts to addresses that partners chose: never to one that is not public, never after a redirect. */
export abstract class WebhookSender {
  /** @returns null when the URL may be used; otherwise why not, for the caller who gives it */
  abstract refusalOf(url: string): string | null;
  /** @returns null when nothing was posted, or the signal ended the attempt: it is repeated later. Never rejects. */
  abstract post(
    url: string,
    headers: Record<string, string>,
    body: string,
    options: SendOptions,
  ): Promise<SendResult | null>;
}
