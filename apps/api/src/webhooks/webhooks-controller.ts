import { AppError } from '@mailstead/core/errors';
import type { ReceiveRelayEvent } from '@mailstead/core/relay-events/receive-relay-event';
import type { RelayWebhook } from '@mailstead/core/relay-events/relay-webhook';
import { type Route, rawRoute } from '../http/route.js';
import { WebhookResponse } from './webhooks-dto.js';

const BODY_LIMIT_BYTES = 1_024 * 1_024;

/** @param use.webhook null when no secret is set: then nothing can be proven, and everything is refused. */
export function webhooksController(use: {
  webhook: RelayWebhook | null;
  receiveRelayEvent: ReceiveRelayEvent;
}): Route[] {
  return [
    rawRoute({
      method: 'post',
      path: '/webhooks/relay',
      access: 'public',
      summary: 'Take bounces and complaints from the relay provider; signed, no token',
      bodyLimitBytes: BODY_LIMIT_BYTES,
      response: WebhookResponse,
      run: async ({ actor, headers, body }): Promise<WebhookResponse> => {
        if (use.webhook === null) {
          throw new AppError('relay_signature_invalid', {
            detail: 'RELAY_WEBHOOK_SECRET is not set, so no relay event can be trusted',
          });
        }
        const outcome = await use.webhook.receive({ headers: headers as Record<string, string | undefined>, body });
        if (outcome.kind !== 'event') return { status: outcome.kind };
        await use.receiveRelayEvent.execute(outcome.event, actor.requestId);
        return { status: 'stored' };
      },
    }),
  ];
}
