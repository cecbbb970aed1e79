import type { UsageRow } from '../../api/shapes.js';
import { FactsTable } from '../../parts/facts-table.js';
import { NameAsRead } from '../../parts/name-as-read.js';
import { formatCount } from '../../parts/numbers.js';
import { type Column, when } from '../../parts/table/column.js';
import { Second } from '../../parts/table/second.js';
import { formatDay } from '../../parts/time.js';
import { Transferred } from './transferred.js';
import { formatStorage } from './usage-numbers.js';

const COLUMNS: Column<UsageRow>[] = [
  { head: 'Plan', cell: ({ plan }) => plan ?? 'none', by: ({ plan }) => plan },
  { head: 'Days', align: 'end', cell: (row) => <Days row={row} />, by: ({ days }) => days },
  count('Most mailboxes', ({ mailboxes_max }) => mailboxes_max),
  count('Mailbox days', ({ mailbox_days }) => mailbox_days),
  {
    head: 'Most storage',
    align: 'end',
    cell: ({ storage_mb_max }) => formatStorage(storage_mb_max),
    by: ({ storage_mb_max }) => storage_mb_max,
  },
  count('Megabyte days', ({ storage_mb_days }) => storage_mb_days),
  count('Sent', ({ sent }) => sent),
  { head: 'Transferred', align: 'end', cell: (row) => <Transferred of={row} />, by: ({ bytes }) => bytes },
  count('Bounces', ({ bounces }) => bounces),
];

interface UsageTableProps {
  rows: UsageRow[];
  /** Whether the month has no other rows. */
  isWhole: boolean;
  hasPartners: boolean;
}

/** A row for each domain, partner and plan of the month. The domain may be deleted by now. */
export function UsageTable({ rows, isWhole, hasPartners }: UsageTableProps) {
  return (
    <FactsTable
      label="Usage of the domains"
      rows={rows}
      isWhole={isWhole}
      keyOf={({ domain, partner_ref, plan }) => `${domain} ${partner_ref} ${plan}`}
      columns={[
        { head: 'Domain', cell: (row) => <DomainOfRow row={row} />, by: ({ domain }) => domain },
        ...when<UsageRow>(hasPartners, {
          head: 'Partner',
          cell: ({ partner_ref }) => partner_ref ?? 'none',
          by: ({ partner_ref }) => partner_ref,
        }),
        ...COLUMNS,
      ]}
    />
  );
}

function DomainOfRow({ row: { domain, external_ref, billing_ref } }: { row: UsageRow }) {
  const references = [external_ref, billing_ref].filter((reference) => reference !== null);
  return (
    <>
      <NameAsRead name={domain} />
      {references.length > 0 && <Second>{references.join(', ')}</Second>}
    </>
  );
}

function Days({ row: { days, from, to } }: { row: UsageRow }) {
  return (
    <>
      {formatCount(days)}
      <Second>{from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`}</Second>
    </>
  );
}

/** @param value null when nobody measured it */
function count(head: string, value: (row: UsageRow) => number | null): Column<UsageRow> {
  const text = (number: number | null) => (number === null ? 'not known' : formatCount(number));
  return { head, align: 'end', cell: (row) => text(value(row)), by: value };
}
