import { Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { bouncesQuery } from '../../../api/outbound.js';
import type { Bounce } from '../../../api/shapes.js';
import { List } from '../../../parts/list.js';
import { NameAsRead } from '../../../parts/name-as-read.js';
import { Section } from '../../../parts/page.js';
import { Time } from '../../../parts/time.js';
import { namedInText } from '../../../parts/unicode-name.js';
import { t } from '../../../texts/texts.js';

const FILE_COLUMNS = ['at', 'recipient', 'sender', 'kind', 'subtype', 'diagnostic', 'message_id'] as const;

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
    <Section title={t('bounce.title')} id="bounces">
      <List
        noun={t('bounce.one')}
        nouns={t('bounce.many')}
        query={query}
        file={{ name: `bounces-${domain}`, everyPage: list.everyPage, columns: FILE_COLUMNS }}
        columns={[t('bounce.recipient'), t('bounce.what'), t('bounce.when')]}
        row={(bounce) => <Row key={bounce.id} bounce={bounce} />}
        empty={<Text size="sm">{t('bounce.none')}</Text>}
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
            {t('bounce.from', { sender: namedInText(sender) })}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Stack gap={2}>
          <Text size="sm">
            {NEVER_ATTEMPTED.has(subtype) ? t('bounce.neverSent', { reason: subtype ?? '' }) : t(`bounce.${kind}`)}
          </Text>
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
