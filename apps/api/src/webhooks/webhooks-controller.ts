import type { ReceiveRelayEvent } from '@mailstead/core/relay-events/receive-relay-event';
import type { RelayWebhook } from '@mailstead/core/relay-events/relay-webhook';
import { type Controller, type Route, rawRoute } from '../http/route.js';
import { WebhookResponse } from './webhooks-dto.js';

const BODY_LIMIT_BYTES = 1_024 * 1_024;

export class WebhooksController implements Controller {
  constructor(
    private readonly webhook: RelayWebhook,
    private readonly receiveRelayEvent: ReceiveRelayEvent,
  ) {}

  routes(): Route[] {
    return [
      rawRoute({
        method: 'post',
        path: '/webhooks/relay',
        access: 'public',
        summary: 'Receive bounces and complaints from the relay provider; requires a signature instead of a token',
        bodyLimitBytes: BODY_LIMIT_BYTES,
        response: WebhookResponse,
        run: async ({ actor, headers, body }): Promise<WebhookResponse> => {
          const outcome = await this.webhook.receive({ headers: headers as Record<string, string | undefined>, body });
          if (outcome.kind !== 'event') return { status: outcome.kind };
          await this.receiveRelayEvent.execute(outcome.event, actor.requestId);
          return { status: 'stored' };
        },
      }),
    ];
  }
}
