import { Table } from '@mantine/core';
import type { UsageSum, UsageSums } from '../../api/usage-sums.js';
import { FactsTable } from '../../parts/facts-table.js';
import { formatCount } from '../../parts/numbers.js';
import { Section } from '../../parts/page.js';
import { TransferredCell } from './transferred-cell.js';

const COLUMNS = ['Plan', 'Rows', 'Domain days', 'Mailbox days', 'Megabyte days', 'Sent', 'Transferred', 'Bounces'];

/** The sums of all rows of the month, also of those that are not shown. */
export function UsageSumsTable({ sums }: { sums: UsageSums }) {
  return (
    <Section title="Sums">
      <FactsTable label="Sums" columns={COLUMNS}>
        {sums.byPlan.map(({ plan, sum }) => (
          <SumRow key={plan ?? ''} name={plan ?? 'none'} sum={sum} />
        ))}
        <SumRow name="All" sum={sums.total} />
      </FactsTable>
    </Section>
  );
}

function SumRow({ name, sum }: { name: string; sum: UsageSum }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td>{formatCount(sum.rows)}</Table.Td>
      <Table.Td>{formatCount(sum.days)}</Table.Td>
      <Table.Td>{formatCount(sum.mailbox_days)}</Table.Td>
      <Table.Td>{sum.hasStorage ? formatCount(sum.storage_mb_days) : 'not known'}</Table.Td>
      <Table.Td>{formatCount(sum.sent)}</Table.Td>
      <TransferredCell of={sum} />
      <Table.Td>{formatCount(sum.bounces)}</Table.Td>
    </Table.Tr>
  );
}
