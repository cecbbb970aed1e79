import { Code } from '@mantine/core';
import type { Job } from '../../../api/shapes.js';
import { FactsTable } from '../../../parts/facts-table.js';
import { Section } from '../../../parts/page.js';
import { type Mark, StatusMark } from '../../../parts/status-mark.js';
import { type Column, when } from '../../../parts/table/column.js';
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

const COLUMNS: Column<Job>[] = [
  { head: 'Schedule', cell: ({ name }) => name },
  { head: 'When (UTC)', cell: ({ schedule }) => <Code>{schedule}</Code> },
  { head: 'Last run', cell: ({ last_run }) => <LastRun run={last_run} /> },
  { head: 'Result', cell: ({ name, last_run }) => (last_run === null ? null : runResult(name, last_run)) },
  { head: 'Next', cell: ({ next_at }) => (next_at === null ? null : <Time at={next_at} relative />) },
];

export function Schedules({ jobs }: { jobs: Job[] }) {
  const mayRun = useView().may('postJobsNameRun');
  const run = when<Job>(mayRun, { head: 'Change', phone: 'bare', cell: ({ name }) => <RunNow name={name} /> });
  return (
    <Section title="Schedules">
      <FactsTable label="Schedules" rows={jobs} keyOf={({ name }) => name} columns={[...COLUMNS, ...run]} />
    </Section>
  );
}

function LastRun({ run }: { run: Run | null }) {
  if (run === null) return <StatusMark mark="none">Not yet</StatusMark>;
  const { mark, word } = OUTCOMES[run.outcome] ?? { mark: 'none', word: run.outcome };
  return (
    <>
      <StatusMark mark={mark}>{word}</StatusMark> <Time at={run.ended_at ?? run.started_at} relative />
    </>
  );
}
