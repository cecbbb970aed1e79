import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sendersQuery } from '../../../api/outbound.js';
import { FactsTable } from '../../../parts/facts-table.js';
import { NameAsRead } from '../../../parts/name-as-read.js';
import { formatCount, formatLimit } from '../../../parts/numbers.js';
import { Section } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
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
              columns={[t('sending.sender'), t('chart.sent'), t('sending.ownLimit')]}
            >
              {senders.map(({ sender, sent_today, outbound_daily_limit }) => (
                <Table.Tr key={sender}>
                  <Table.Td>
                    <NameAsRead name={sender} />
                  </Table.Td>
                  <Table.Td>{formatCount(sent_today)}</Table.Td>
                  <Table.Td>{outbound_daily_limit === null ? '–' : formatLimit(outbound_daily_limit)}</Table.Td>
                </Table.Tr>
              ))}
            </FactsTable>
          )
        }
      </Queried>
    </Section>
  );
}
