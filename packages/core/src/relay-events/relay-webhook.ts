import { AppError } from '../errors.js';
import type { RelayEvent } from './relay-event.js';

/** A request as it came: the signature is over the raw bytes. */
export interface WebhookRequest {
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** What a genuine request asks for. Everything but an `event` is done with; its `reason` is for the log. */
export type WebhookOutcome =
  | { kind: 'event'; providerId: string; event: RelayEvent }
  | { kind: 'confirmed' | 'ignored'; reason: string };

/** The door for events of the relay provider: proves that a request is the provider's, and reads it. */
export abstract class RelayWebhook {
  /**
   * Nothing is stored. The provider takes a 4xx as final, so only what is never wanted again may answer one.
   *
   * @throws AppError relay_signature_invalid, relay_topic_unknown, relay_event_too_old, relay_event_malformed; and
   * relay_unavailable when the proof cannot be had now, which is our trouble: the provider shall send again.
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
