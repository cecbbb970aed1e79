import { Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { bouncesQuery } from '../../../api/outbound.js';
import type { Bounce } from '../../../api/shapes.js';
import { List } from '../../../parts/list.js';
import { Section } from '../../../parts/page.js';
import { Time } from '../../../parts/time.js';

const KINDS: Record<Bounce['kind'], string> = {
  permanent: 'Undeliverable',
  transient: 'Not delivered this time',
  complaint: 'Called spam',
};

/** The relay never tried to deliver these, and they count nowhere. */
const NEVER_ATTEMPTED: ReadonlySet<string | null> = new Set([
  'OnAccountSuppressionList',
  'OnTenantSuppressionList',
  'EmailValidationSuppressed',
  'UnsubscribedRecipient',
]);

/** The messages of 30 days that came back, with what the other side said. */
export function Bounces({ domain }: { domain: string }) {
  const query = useInfiniteQuery(bouncesQuery(domain));
  return (
    <Section title="Came back">
      <List
        noun="message"
        query={query}
        columns={['Recipient', 'What', 'When']}
        row={(bounce) => <Row key={bounce.id} bounce={bounce} />}
        empty={<Text size="sm">Nothing came back within 30 days.</Text>}
      />
    </Section>
  );
}

function Row({ bounce: { recipient, sender, kind, subtype, diagnostic, at } }: { bounce: Bounce }) {
  return (
    <Table.Tr>
      <Table.Td>
        {recipient}
        {sender !== null && (
          <Text size="sm" c="dimmed">
            from {sender}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Stack gap={2}>
          <Text size="sm">{NEVER_ATTEMPTED.has(subtype) ? `Never attempted (${subtype})` : KINDS[kind]}</Text>
          {diagnostic !== null && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {diagnostic}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td>
        <Time at={at} relative />
      </Table.Td>
    </Table.Tr>
  );
}
