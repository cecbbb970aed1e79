import type { UsageSum, UsageSums } from '../../api/usage-sums.js';
import { FactsTable } from '../../parts/facts-table.js';
import { formatCount } from '../../parts/numbers.js';
import { Section } from '../../parts/page.js';
import type { Column } from '../../parts/table/column.js';
import { Transferred } from './transferred.js';

interface NamedSum {
  name: string;
  sum: UsageSum;
}

/** Without an order of the reader: the sum of all is last. */
const COLUMNS: Column<NamedSum>[] = [
  { head: 'Plan', cell: ({ name }) => name },
  count('Rows', ({ rows }) => rows),
  count('Domain days', ({ days }) => days),
  count('Mailbox days', ({ mailbox_days }) => mailbox_days),
  {
    head: 'Megabyte days',
    align: 'end',
    cell: ({ sum }) => (sum.hasStorage ? formatCount(sum.storage_mb_days) : 'not known'),
  },
  count('Sent', ({ sent }) => sent),
  { head: 'Transferred', align: 'end', cell: ({ sum }) => <Transferred of={sum} /> },
  count('Bounces', ({ bounces }) => bounces),
];

/** The sums of all rows of the month, also of those that are not shown. */
export function UsageSumsTable({ sums: { byPlan, total } }: { sums: UsageSums }) {
  const rows = [...byPlan.map(({ plan, sum }) => ({ name: plan ?? 'none', sum })), { name: 'All', sum: total }];
  return (
    <Section title="Sums">
      <FactsTable label="Sums" rows={rows} keyOf={({ name }) => name} columns={COLUMNS} />
    </Section>
  );
}

function count(head: string, value: (sum: UsageSum) => number): Column<NamedSum> {
  return { head, align: 'end', cell: ({ sum }) => formatCount(value(sum)) };
}
