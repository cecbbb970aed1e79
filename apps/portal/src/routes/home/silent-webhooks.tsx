import { Text } from '@mantine/core';
import type { Webhook } from '../../api/shapes.js';
import { TextLink } from '../../parts/links.js';
import { Row } from '../../parts/row.js';
import { StatusMark } from '../../parts/status-mark.js';
import { webhookName, whyNothing } from '../webhooks/webhook-words.js';

/** Webhooks that get no events, each with the reason. */
export function SilentWebhooks({ webhooks }: { webhooks: readonly Webhook[] }) {
  return webhooks.map((webhook) => (
    <Row
      key={webhook.id}
      severity="bad"
      title={
        <TextLink to="/webhooks/$webhook" params={{ webhook: String(webhook.id) }} fw={600} size="sm">
          {webhookName(webhook)}
        </TextLink>
      }
      status={<StatusMark mark="bad">Webhook switched off</StatusMark>}
    >
      <Text size="xs" c="dimmed">
        {whyNothing(webhook)}
      </Text>
    </Row>
  ));
}
