import { Button, Code, Group, Table, Text } from '@mantine/core';
import type { ApiKey } from '../../api/shapes.js';
import { countOf, formatLimit } from '../../parts/numbers.js';
import { PartnerLink } from '../../parts/partner-link.js';
import { StatusMark } from '../../parts/status-mark.js';
import { hasPassed, Time } from '../../parts/time.js';
import type { KeyTask } from './key-dialogs.js';
import { keyName } from './key-name.js';

const SHOWN_DOMAINS = 2;

interface Row {
  apiKey: ApiKey;
  isOperator: boolean;
  showsPartner: boolean;
  tasks: readonly KeyTask['kind'][];
  onTask: (kind: KeyTask['kind']) => void;
}

export function KeyRow({ apiKey, isOperator, showsPartner, tasks, onTask }: Row) {
  const { id, token, partner_ref, last_used_at, made_by } = apiKey;
  return (
    <Table.Tr>
      <Table.Td>
        {keyName(apiKey)}{' '}
        <Text span size="sm" c="dimmed">
          <Code>{token}</Code> {made_by === null ? `no. ${id}` : `no. ${id}, made by no. ${made_by}`}
        </Text>
      </Table.Td>
      {showsPartner && (
        <Table.Td>
          <PartnerLink partner={partner_ref} />
        </Table.Td>
      )}
      <Table.Td>{mayText(apiKey)}</Table.Td>
      {isOperator && <Table.Td>{limitsText(apiKey)}</Table.Td>}
      <Table.Td>
        <KeyState apiKey={apiKey} />
      </Table.Td>
      <Table.Td>{last_used_at === null ? 'never' : <Time at={last_used_at} relative />}</Table.Td>
      {tasks.length > 0 && (
        <Table.Td>
          <Tasks name={keyName(apiKey)} tasks={tasks} onTask={onTask} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

const LABELS: Record<KeyTask['kind'], string> = {
  change: 'Change',
  rotate: 'Rotate',
  sessions: 'End sessions',
  revoke: 'Revoke',
};

function Tasks({ name, tasks, onTask }: Pick<Row, 'tasks' | 'onTask'> & { name: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      {tasks.map((kind) => (
        <Button
          key={kind}
          size="compact-sm"
          variant="default"
          style={{ flexShrink: 0 }}
          aria-label={`${LABELS[kind]}: ${name}`}
          onClick={() => onTask(kind)}
        >
          {LABELS[kind]}
        </Button>
      ))}
    </Group>
  );
}

function mayText({ scope, domains }: ApiKey): string {
  const verb = scope === 'read' ? 'Read' : 'Manage';
  if (domains === null) return `${verb} everything`;
  if (domains.length === 0) return 'Nothing: its domains are gone';
  const more = domains.length - SHOWN_DOMAINS;
  const shown = domains.slice(0, SHOWN_DOMAINS).join(', ');
  return `${verb} ${more > 0 ? `${shown} and ${countOf(more, 'other')}` : shown}`;
}

function limitsText({ domains_allowed, domains_used, mailboxes_per_domain, aliases_per_mailbox }: ApiKey): string {
  const each = `${formatLimit(mailboxes_per_domain)} mailboxes, ${formatLimit(aliases_per_mailbox)} aliases each`;
  return `${domains_used} of ${formatLimit(domains_allowed)} domains, ${each}`;
}

function KeyState({ apiKey: { active, expires_at } }: { apiKey: ApiKey }) {
  if (!active) return <StatusMark mark="bad">Inactive</StatusMark>;
  if (expires_at === null) return <StatusMark mark="good">Active</StatusMark>;
  if (hasPassed(expires_at)) return <StatusMark mark="none">Expired</StatusMark>;
  return (
    <>
      <StatusMark mark="wait">Ends</StatusMark>{' '}
      <Text span size="sm">
        <Time at={expires_at} relative />
      </Text>
    </>
  );
}
