import { Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { rowsOf } from '../../api/paged-list.js';
import type { Webhook } from '../../api/shapes.js';
import { webhooksQuery } from '../../api/webhook-list.js';
import { pollOf } from '../../api/webhooks.js';
import { TextLink } from '../../parts/links.js';
import { List } from '../../parts/list.js';
import { StatusMark } from '../../parts/status-mark.js';
import { Time } from '../../parts/time.js';
import { webhookName, webhookStatus, whyNothing } from './webhook-words.js';

const SHOWN_TYPES = 3;

/** The endpoints of a partner; without one, those of the caller. Each leads to its own screen. */
export function WebhookList({ partnerRef, empty }: { partnerRef: string | undefined; empty: ReactNode }) {
  const query = useInfiniteQuery({
    ...webhooksQuery(partnerRef),
    refetchInterval: ({ state }) => pollOf(state.data === undefined ? [] : rowsOf(state.data)),
  });
  return (
    <List
      noun="webhook"
      query={query}
      columns={['Webhook', 'Events', 'State', 'Added']}
      row={(endpoint) => <Row key={endpoint.id} endpoint={endpoint} />}
      empty={empty}
    />
  );
}

function Row({ endpoint }: { endpoint: Webhook }) {
  const { id, description, types, created_at } = endpoint;
  const { mark, word } = webhookStatus(endpoint);
  const why = whyNothing(endpoint);
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink to="/webhooks/$webhook" params={{ webhook: String(id) }}>
          {webhookName(endpoint)}
        </TextLink>{' '}
        <Text span size="sm" c="dimmed">
          {description === null ? `no. ${id}` : `no. ${id}, ${description}`}
        </Text>
      </Table.Td>
      <Table.Td>{typesText(types)}</Table.Td>
      <Table.Td>
        <StatusMark mark={mark}>{word}</StatusMark>{' '}
        {why !== null && (
          <Text span size="sm">
            {why}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Time at={created_at} relative />
      </Table.Td>
    </Table.Tr>
  );
}

function typesText(types: Webhook['types']): string {
  if (types === null) return 'All';
  const shown = types.slice(0, SHOWN_TYPES).join(', ');
  return types.length > SHOWN_TYPES ? `${shown} and ${types.length - SHOWN_TYPES} more` : shown;
}
