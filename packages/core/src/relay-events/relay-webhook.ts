import { AppError } from '../errors.js';
import type { RelayEvent } from './relay-event.js';

/** A request as it came: the signature is over the raw bytes. */
export interface WebhookRequest {
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** What a verified request contains. Only an `event` is stored; the `reason` of the others is for the log. */
export type WebhookOutcome =
  | { kind: 'event'; providerId: string; event: RelayEvent }
  | { kind: 'confirmed' | 'ignored'; reason: string };

/** Verifies that a request is the relay provider's, and reads the event in it. */
export abstract class RelayWebhook {
  /**
   * Stores nothing. Providers do not repeat a request that was answered with a 4xx, so only a request that must never be
   * repeated may throw an error of that kind.
   *
   * @throws AppError relay_signature_invalid, relay_topic_unknown, relay_event_too_old, relay_event_malformed; and
   * relay_unavailable (503) when it cannot be verified now, so that the provider sends it again.
   */
  abstract receive(request: WebhookRequest): Promise<WebhookOutcome>;
}

/** Where no secret is configured: nothing can be proven, so every request is refused. */
export class UnsignedWebhook extends RelayWebhook {
  override async receive(): Promise<never> {
    throw new AppError('relay_signature_invalid', {
      detail: 'RELAY_WEBHOOK_SECRET is not set, so no relay event can be trusted',
    });
  }
}
