import { Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { bouncesQuery } from '../../../api/outbound.js';
import type { Bounce } from '../../../api/shapes.js';
import { List } from '../../../parts/list.js';
import { NameAsRead } from '../../../parts/name-as-read.js';
import { Section } from '../../../parts/page.js';
import { Time } from '../../../parts/time.js';

const FILE_COLUMNS = ['at', 'recipient', 'sender', 'kind', 'subtype', 'diagnostic', 'message_id'] as const;

const KINDS: Record<Bounce['kind'], string> = {
  permanent: 'Bounced: it cannot be delivered',
  transient: 'Bounced: not delivered this time',
  complaint: 'Reported as spam',
};

/** The relay never tried to deliver these, and they count nowhere. */
const NEVER_ATTEMPTED: ReadonlySet<string | null> = new Set([
  'OnAccountSuppressionList',
  'OnTenantSuppressionList',
  'EmailValidationSuppressed',
  'UnsubscribedRecipient',
]);

/** The bounces and spam reports of 30 days, with what the other side said. */
export function Bounces({ domain }: { domain: string }) {
  const list = bouncesQuery(domain);
  const query = useInfiniteQuery(list);
  return (
    <Section title="Bounces and spam reports">
      <List
        noun="message"
        query={query}
        file={{ name: `bounces-${domain}`, everyPage: list.everyPage, columns: FILE_COLUMNS }}
        columns={['Recipient', 'What happened', 'When']}
        row={(bounce) => <Row key={bounce.id} bounce={bounce} />}
        empty={<Text size="sm">No message bounced or was reported as spam in 30 days.</Text>}
      />
    </Section>
  );
}

function Row({ bounce: { recipient, sender, kind, subtype, diagnostic, at } }: { bounce: Bounce }) {
  return (
    <Table.Tr>
      <Table.Td>
        <NameAsRead name={recipient} />
        {sender !== null && (
          <Text size="sm" c="dimmed">
            from <NameAsRead name={sender} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Stack gap={2}>
          <Text size="sm">{NEVER_ATTEMPTED.has(subtype) ? `Never sent by the relay (${subtype})` : KINDS[kind]}</Text>
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
