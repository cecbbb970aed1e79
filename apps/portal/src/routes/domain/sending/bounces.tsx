import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { bouncesQuery } from '../../../api/outbound.js';
import type { Bounce } from '../../../api/shapes.js';
import { List } from '../../../parts/list.js';
import { NameAsRead } from '../../../parts/name-as-read.js';
import { Section } from '../../../parts/page.js';
import type { Column } from '../../../parts/table/column.js';
import { Second } from '../../../parts/table/second.js';
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
        keyOf={({ id }) => id}
        columns={bounceColumns()}
        empty={<Text size="sm">{t('bounce.none')}</Text>}
      />
    </Section>
  );
}

function bounceColumns(): Column<Bounce>[] {
  return [
    { head: t('bounce.recipient'), cell: (bounce) => <Recipient bounce={bounce} />, by: ({ recipient }) => recipient },
    { head: t('bounce.what'), phone: 'bare', isLong: true, cell: (bounce) => <What bounce={bounce} /> },
    { head: t('bounce.when'), phone: 'bare', cell: ({ at }) => <Time at={at} relative />, by: ({ at }) => at },
  ];
}

function Recipient({ bounce: { recipient, sender } }: { bounce: Bounce }) {
  return (
    <>
      <NameAsRead name={recipient} />
      {sender !== null && <Second>{t('bounce.from', { sender: namedInText(sender) })}</Second>}
    </>
  );
}

function What({ bounce: { kind, subtype, diagnostic } }: { bounce: Bounce }) {
  return (
    <>
      {NEVER_ATTEMPTED.has(subtype) ? t('bounce.neverSent', { reason: subtype ?? '' }) : t(`bounce.${kind}`)}
      {diagnostic !== null && <Second>{diagnostic}</Second>}
    </>
  );
}
