import { Table, Text } from '@mantine/core';
import type { UsageRow } from '../../api/shapes.js';
import { FactsTable } from '../../parts/facts-table.js';
import { NameAsRead } from '../../parts/name-as-read.js';
import { formatCount } from '../../parts/numbers.js';
import { formatDay } from '../../parts/time.js';
import { TransferredCell } from './transferred-cell.js';
import { formatStorage } from './usage-numbers.js';

const COLUMNS = [
  'Plan',
  'Days',
  'Most mailboxes',
  'Mailbox days',
  'Most storage',
  'Megabyte days',
  'Sent',
  'Transferred',
  'Bounces',
];

/** A row for each domain, partner and plan of the month. The domain may be deleted by now. */
export function UsageTable({ rows, hasPartners }: { rows: UsageRow[]; hasPartners: boolean }) {
  return (
    <FactsTable label="Usage of the domains" columns={['Domain', ...(hasPartners ? ['Partner'] : []), ...COLUMNS]}>
      {rows.map((row) => (
        <UsageTableRow key={`${row.domain} ${row.partner_ref} ${row.plan}`} row={row} hasPartner={hasPartners} />
      ))}
    </FactsTable>
  );
}

function UsageTableRow({ row, hasPartner }: { row: UsageRow; hasPartner: boolean }) {
  const references = [row.external_ref, row.billing_ref].filter((reference) => reference !== null);
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <NameAsRead name={row.domain} />
        {references.length > 0 && (
          <Text size="xs" c="dimmed">
            {references.join(', ')}
          </Text>
        )}
      </Table.Th>
      {hasPartner && <Table.Td>{row.partner_ref ?? 'none'}</Table.Td>}
      <Table.Td>{row.plan ?? 'none'}</Table.Td>
      <Table.Td>
        {formatCount(row.days)}
        <Text size="xs" c="dimmed">
          {row.from === row.to ? formatDay(row.from) : `${formatDay(row.from)} – ${formatDay(row.to)}`}
        </Text>
      </Table.Td>
      <Table.Td>{formatCount(row.mailboxes_max)}</Table.Td>
      <Table.Td>{formatCount(row.mailbox_days)}</Table.Td>
      <Table.Td>{formatStorage(row.storage_mb_max)}</Table.Td>
      <Table.Td>{row.storage_mb_days === null ? 'not known' : formatCount(row.storage_mb_days)}</Table.Td>
      <Table.Td>{formatCount(row.sent)}</Table.Td>
      <TransferredCell of={row} />
      <Table.Td>{formatCount(row.bounces)}</Table.Td>
    </Table.Tr>
  );
}
