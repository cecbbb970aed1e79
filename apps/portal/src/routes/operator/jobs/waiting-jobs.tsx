import type { Job } from '../../../api/shapes.js';
import { FactsTable } from '../../../parts/facts-table.js';
import { formatCount } from '../../../parts/numbers.js';
import { Section } from '../../../parts/page.js';
import type { Column } from '../../../parts/table/column.js';

/** The service counts no further. */
const COUNTED_JOBS = 20_000;

const COLUMNS: Column<Job>[] = [
  { head: 'Job', cell: ({ name }) => name, by: ({ name }) => name },
  {
    head: 'Waiting',
    align: 'end',
    cell: ({ waiting }) => `${formatCount(waiting ?? 0)}${waiting === COUNTED_JOBS ? ' or more' : ''}`,
    by: ({ waiting }) => waiting ?? 0,
  },
];

/** How much work waits, or is tried again later. */
export function WaitingJobs({ jobs }: { jobs: Job[] }) {
  return (
    <Section title="Waiting">
      <FactsTable label="Waiting jobs" rows={jobs} keyOf={({ name }) => name} columns={COLUMNS} />
    </Section>
  );
}
