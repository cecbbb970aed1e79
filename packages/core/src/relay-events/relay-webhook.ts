import { AppError } from '../errors.js';
import type { RelayEvent } from './relay-event.js';

/** A request with its raw body: the signature is computed over the raw bytes. */
export interface WebhookRequest {
  /** Header names in lower case. */
  headers: Record<string, string | undefined>;
  body: Buffer;
  /** The address from which it came, an IPv6 address as its /64 network. */
  sender: string;
}

/**
 * The content of a verified request. Only an `event` is stored. `tenants`: the sending status of these resources may
 * have changed. The `reason` of the others is for the log.
 */
export type WebhookOutcome =
  | { kind: 'event'; providerId: string; event: RelayEvent }
  | { kind: 'tenants'; arns: string[] }
  | { kind: 'confirmed' | 'ignored'; reason: string };

/** Verifies that the relay provider sent a request, and parses its event. */
export abstract class RelayWebhook {
  /**
   * Does not store the event. Providers do not repeat a request after a 4xx response, so such an error is thrown only
   * when the request must not be repeated.
   *
   * @throws AppError relay_signature_invalid, relay_topic_unknown, relay_event_too_old, relay_event_malformed; and
   * relay_unavailable (503) when the request cannot be verified now, so that the provider sends it again.
   */
  abstract receive(request: WebhookRequest): Promise<WebhookOutcome>;
}

/** Used when no secret is configured: no request can be verified, so every request is refused. */
export class UnsignedWebhook extends RelayWebhook {
  override async receive(): Promise<never> {
    throw new AppError('relay_signature_invalid', {
      detail: 'RELAY_WEBHOOK_SECRET is not set, so no relay event can be trusted',
    });
  }
}
