import { Clock } from '@mailstead/core/clock';
import { needs } from '@mailstead/core/needs';
import { RelayTrafficLog } from '@mailstead/core/relay/relay-traffic-log';
import { NoteTenantHint } from '@mailstead/core/relay/tenants/note-tenant-hint';
import { ReceiveRelayEvent } from '@mailstead/core/relay-events/receive-relay-event';
import { RelayWebhook } from '@mailstead/core/relay-events/relay-webhook';
import { type Controller, type Route, rawRoute } from '../http/route.js';
import { WebhookResponse } from './webhooks-dto.js';

const BODY_LIMIT_BYTES = 1_024 * 1_024;

const EXAMPLE_BOUNCE = {
  notificationType: 'Bounce',
  mail: { timestamp: '2026-03-01T12:00:00.000Z', messageId: '0102018f-example', source: 'info@example.com' },
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress: 'gone@elsewhere.example' }],
    timestamp: '2026-03-01T12:00:01.000Z',
  },
};

@needs(RelayWebhook, ReceiveRelayEvent, NoteTenantHint, RelayTrafficLog, Clock)
export class WebhooksController implements Controller {
  constructor(
    private readonly webhook: RelayWebhook,
    private readonly receiveRelayEvent: ReceiveRelayEvent,
    private readonly noteTenantHint: NoteTenantHint,
    private readonly relayTraffic: RelayTrafficLog,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      rawRoute({
        method: 'post',
        path: '/webhooks/relay',
        access: 'public',
        anyInput: true,
        summary: 'Receive bounces and complaints from the relay provider; requires a signature instead of a token',
        errors: [
          'malformed_request',
          'unsupported_media_type',
          'unsupported_content_encoding',
          'malformed_json',
          'body_too_large',
          'relay_event_malformed',
          'relay_signature_invalid',
          'relay_topic_unknown',
          'relay_event_too_old',
          'relay_unavailable',
        ],
        bodyLimitBytes: BODY_LIMIT_BYTES,
        exampleBody: EXAMPLE_BOUNCE,
        response: WebhookResponse,
        run: async ({ actor, headers, body, sender }): Promise<WebhookResponse> => {
          const outcome = await this.webhook.receive({
            headers: headers as Record<string, string | undefined>,
            body,
            sender: sender.address(),
          });
          const isEvent = outcome.kind === 'event';
          if (isEvent) await this.receiveRelayEvent.execute(outcome.event, actor.requestId);
          if (outcome.kind === 'tenants') await this.noteTenantHint.execute(outcome.arns, actor.requestId);
          await this.relayTraffic.heard(this.clock.now(), isEvent);
          // Nothing of a hint is stored.
          return { status: isEvent ? 'stored' : outcome.kind === 'tenants' ? 'ignored' : outcome.kind };
        },
      }),
    ];
  }
}
