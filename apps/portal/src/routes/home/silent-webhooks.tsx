import { Text } from '@mantine/core';
import type { Webhook } from '../../api/shapes.js';
import { TextLink } from '../../parts/links.js';
import { StatusMark } from '../../parts/status-mark.js';
import { webhookName, whyNothing } from '../webhooks/webhook-words.js';
import { NeedingBox } from './needing-row.js';

/** Webhooks that get no events, each with the reason. */
export function SilentWebhooks({ webhooks }: { webhooks: readonly Webhook[] }) {
  return webhooks.map((webhook) => (
    <NeedingBox
      key={webhook.id}
      title={
        <TextLink to="/webhooks/$webhook" params={{ webhook: String(webhook.id) }} fw={600} size="sm">
          {webhookName(webhook)}
        </TextLink>
      }
      status={<StatusMark mark="bad">Webhook switched off</StatusMark>}
    >
      <Text size="sm">{whyNothing(webhook)}</Text>
    </NeedingBox>
  ));
}
