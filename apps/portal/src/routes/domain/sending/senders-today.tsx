import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sendersQuery } from '../../../api/outbound.js';
import type { Sender } from '../../../api/shapes.js';
import { FactsTable } from '../../../parts/facts-table.js';
import { NameAsRead } from '../../../parts/name-as-read.js';
import { formatCount, formatLimit } from '../../../parts/numbers.js';
import { Section } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import type { Column } from '../../../parts/table/column.js';
import { t } from '../../../texts/texts.js';

/** Who sent today, the most first. */
export function SendersToday({ domain }: { domain: string }) {
  const query = useQuery(sendersQuery(domain));
  return (
    <Section title={t('sending.senders')}>
      <Queried query={query}>
        {(senders) =>
          senders.length === 0 ? (
            <Text size="sm">{t('sending.nobody')}</Text>
          ) : (
            <FactsTable
              label={t('sending.senders')}
              rows={senders}
              keyOf={({ sender }) => sender}
              columns={senderColumns()}
            />
          )
        }
      </Queried>
    </Section>
  );
}

/** Without an order of the reader: these are the first of a longer list. */
function senderColumns(): Column<Sender>[] {
  return [
    { head: t('sending.sender'), cell: ({ sender }) => <NameAsRead name={sender} /> },
    { head: t('chart.sent'), align: 'end', cell: ({ sent_today }) => formatCount(sent_today) },
    {
      head: t('sending.ownLimit'),
      align: 'end',
      cell: ({ outbound_daily_limit: limit }) => (limit === null ? null : formatLimit(limit)),
    },
  ];
}
