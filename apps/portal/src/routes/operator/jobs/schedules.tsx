import { Code, Table, Text } from '@mantine/core';
import type { Job } from '../../../api/shapes.js';
import { FactsTable } from '../../../parts/facts-table.js';
import { Section } from '../../../parts/page.js';
import { type Mark, StatusMark } from '../../../parts/status-mark.js';
import { Time } from '../../../parts/time.js';
import { useView } from '../../frame/view.js';
import { RunNow } from './run-now.js';
import { runResult } from './run-result.js';

type Run = NonNullable<Job['last_run']>;

const OUTCOMES: Record<string, { mark: Mark; word: string }> = {
  done: { mark: 'good', word: 'Done' },
  running: { mark: 'wait', word: 'Running' },
  failed: { mark: 'bad', word: 'Failed' },
};

export function Schedules({ jobs }: { jobs: Job[] }) {
  const mayRun = useView().may('postJobsNameRun');
  return (
    <Section title="Schedules">
      <FactsTable
        label="Schedules"
        columns={['Schedule', 'When (UTC)', 'Last run', 'Result', 'Next', ...(mayRun ? ['Change'] : [])]}
      >
        {jobs.map(({ name, schedule, last_run, next_at }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>
              <Code>{schedule}</Code>
            </Table.Td>
            <Table.Td>
              <LastRun run={last_run} />
            </Table.Td>
            <Table.Td>{last_run === null ? '–' : runResult(name, last_run)}</Table.Td>
            <Table.Td>{next_at === null ? '–' : <Time at={next_at} relative />}</Table.Td>
            {mayRun && (
              <Table.Td>
                <RunNow name={name} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </FactsTable>
    </Section>
  );
}

function LastRun({ run }: { run: Run | null }) {
  if (run === null) return <StatusMark mark="none">Not yet</StatusMark>;
  const { mark, word } = OUTCOMES[run.outcome] ?? { mark: 'none', word: run.outcome };
  return (
    <>
      <StatusMark mark={mark}>{word}</StatusMark>{' '}
      <Text span size="sm">
        <Time at={run.ended_at ?? run.started_at} relative />
      </Text>
    </>
  );
}
