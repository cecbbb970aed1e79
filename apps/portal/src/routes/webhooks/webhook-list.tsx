import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { rowsOf } from '../../api/paged-list.js';
import type { Webhook } from '../../api/shapes.js';
import { webhooksQuery } from '../../api/webhook-list.js';
import { pollOf } from '../../api/webhooks.js';
import { TextLink } from '../../parts/links.js';
import { List } from '../../parts/list.js';
import { StatusMark } from '../../parts/status-mark.js';
import type { Column } from '../../parts/table/column.js';
import { Second } from '../../parts/table/second.js';
import { Time } from '../../parts/time.js';
import { webhookName, webhookStatus, whyNothing } from './webhook-words.js';

const SHOWN_TYPES = 3;

const COLUMNS: Column<Webhook>[] = [
  { head: 'Webhook', cell: (endpoint) => <Name endpoint={endpoint} />, by: webhookName },
  { head: 'Events', cell: ({ types }) => typesText(types) },
  { head: 'State', phone: 'bare', cell: (endpoint) => <State endpoint={endpoint} />, by: stateWord },
  { head: 'Added', cell: ({ created_at }) => <Time at={created_at} relative />, by: ({ created_at }) => created_at },
];

/** The endpoints of a partner; without one, those of the caller. Each leads to its own screen. */
export function WebhookList({ partnerRef, empty }: { partnerRef: string | undefined; empty: ReactNode }) {
  const query = useInfiniteQuery({
    ...webhooksQuery(partnerRef),
    refetchInterval: ({ state }) => pollOf(state.data === undefined ? [] : rowsOf(state.data)),
  });
  return <List noun="webhook" query={query} keyOf={({ id }) => id} columns={COLUMNS} empty={empty} />;
}

function Name({ endpoint }: { endpoint: Webhook }) {
  const { id, description } = endpoint;
  return (
    <>
      <TextLink to="/webhooks/$webhook" params={{ webhook: String(id) }}>
        {webhookName(endpoint)}
      </TextLink>
      <Second>{description === null ? `no. ${id}` : `no. ${id}, ${description}`}</Second>
    </>
  );
}

function stateWord(endpoint: Webhook): string {
  return webhookStatus(endpoint).word;
}

function State({ endpoint }: { endpoint: Webhook }) {
  const { mark, word } = webhookStatus(endpoint);
  return (
    <>
      <StatusMark mark={mark}>{word}</StatusMark> {whyNothing(endpoint)}
    </>
  );
}

function typesText(types: Webhook['types']): string {
  if (types === null) return 'All';
  const shown = types.slice(0, SHOWN_TYPES).join(', ');
  return types.length > SHOWN_TYPES ? `${shown} and ${types.length - SHOWN_TYPES} more` : shown;
}
