import { Table } from '@mantine/core';
import type { Job } from '../../../api/shapes.js';
import { FactsTable } from '../../../parts/facts-table.js';
import { formatCount } from '../../../parts/numbers.js';
import { Section } from '../../../parts/page.js';

/** The service counts no further. */
const COUNTED_JOBS = 20_000;

/** How much work waits, or is tried again later. */
export function WaitingJobs({ jobs }: { jobs: Job[] }) {
  return (
    <Section title="Waiting">
      <FactsTable label="Waiting jobs" columns={['Job', 'Waiting']}>
        {jobs.map(({ name, waiting }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>
              {formatCount(waiting ?? 0)}
              {waiting === COUNTED_JOBS && ' or more'}
            </Table.Td>
          </Table.Tr>
        ))}
      </FactsTable>
    </Section>
  );
}
