import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { SILENT, useChange } from '../../../api/change.js';
import { type DomainTask, type Outcome, workOnDomains } from '../../../api/many-domains.js';
import type { Domain } from '../../../api/shapes.js';
import { Bar } from '../../../parts/bar.js';
import { FactsTable } from '../../../parts/facts-table.js';
import { TextLink } from '../../../parts/links.js';
import { NameAsRead } from '../../../parts/name-as-read.js';
import { countOf } from '../../../parts/numbers.js';
import { Page } from '../../../parts/page.js';
import { recordNames } from '../../../parts/record-names.js';
import { Failing } from '../../../parts/states.js';
import { type Mark, StatusMark } from '../../../parts/status-mark.js';
import type { Column } from '../../../parts/table/column.js';
import type { Work } from './work.js';

interface Run {
  verb: string;
  task: DomainTask;
  domains: Domain[];
  isUndo: boolean;
  /** How many runs came before. */
  turn: number;
}

interface WorkedDomainsParts {
  work: Work;
  domains: Domain[];
  onBack: () => void;
}

/** Does the work with each domain: how far it is, a result for each, and undo where there is one. */
export function WorkedDomains({ work, domains, onBack }: WorkedDomainsParts) {
  const [run, setRun] = useState<Run>({ verb: work.verb, task: work.task, domains, isUndo: false, turn: 0 });
  /** What all runs changed, with what each domain was before. */
  const [changed, setChanged] = useState<Domain[]>([]);
  const undoable = changed.filter((domain) => work.undo?.isFor(domain) === true);
  const undo = () => {
    if (work.undo === null) return;
    setRun({
      verb: 'Undoing the change of',
      task: work.undo.task,
      domains: undoable,
      isUndo: true,
      turn: run.turn + 1,
    });
    setChanged([]);
  };
  return (
    <Page title={`${run.verb} ${countOf(run.domains.length, 'domain')}`}>
      <RunResults
        key={run.turn}
        run={run}
        onChanged={(domain) => {
          if (!run.isUndo) setChanged((before) => [...before, domain]);
        }}
        undoable={undoable.length}
        onUndo={undo}
        onAgain={(refused) => setRun({ ...run, domains: refused, turn: run.turn + 1 })}
        onBack={onBack}
      />
    </Page>
  );
}

interface RunResultsParts {
  run: Run;
  onChanged: (domain: Domain) => void;
  undoable: number;
  onUndo: () => void;
  onAgain: (refused: Domain[]) => void;
  onBack: () => void;
}

interface Result {
  domain: Domain;
  outcome: Outcome;
}

const COLUMNS: Column<Result>[] = [
  {
    head: 'Domain',
    cell: ({ domain: { name } }) => (
      <TextLink to="/domains/$domain" params={{ domain: name }}>
        <NameAsRead name={name} />
      </TextLink>
    ),
  },
  { head: 'Result', phone: 'bare', cell: ({ outcome }) => <OutcomeMark outcome={outcome} /> },
];

function RunResults({ run, onChanged, undoable, onUndo, onAgain, onBack }: RunResultsParts) {
  const { results, isDone, isStopped, error, stop } = useRun(run, onChanged);
  const refused = results.filter(({ outcome }) => outcome.kind === 'refused');
  const rows = [...refused, ...results.filter(({ outcome }) => outcome.kind !== 'refused')];
  const left = run.domains.length - results.length;
  const tried = new Set(results.map(({ domain }) => domain.id));
  const again = isDone
    ? run.domains.filter(({ id }) => !tried.has(id) || refused.some(({ domain }) => domain.id === id))
    : [];
  return (
    <Stack>
      <Bar share={results.length / run.domains.length} label={`${results.length} of ${run.domains.length} done`} />
      <Group justify="space-between">
        <Text role="status">
          {results.length - refused.length} done, {refused.length} refused
          {isDone ? (left > 0 ? `, ${left} not tried.` : '.') : `, ${left} to go …`}
        </Text>
        <Group gap="xs">
          {!isDone && (
            <Button variant="default" onClick={stop} loading={isStopped}>
              Stop
            </Button>
          )}
          {isDone && undoable > 0 && (
            <Button variant="default" onClick={onUndo}>
              Undo {countOf(undoable, 'change')}
            </Button>
          )}
          {again.length > 0 && (
            <Button variant="default" onClick={() => onAgain(again)}>
              Try {countOf(again.length, 'domain')} again
            </Button>
          )}
          {isDone && <Button onClick={onBack}>Back to the domains</Button>}
        </Group>
      </Group>
      {error !== null && <Failing error={error} />}
      <FactsTable label="Results" rows={rows} keyOf={({ domain }) => domain.id} columns={COLUMNS} />
    </Stack>
  );
}

function OutcomeMark({ outcome }: { outcome: Outcome }) {
  const { mark, words } = wordsOf(outcome);
  return <StatusMark mark={mark}>{words}</StatusMark>;
}

function wordsOf(outcome: Outcome): { mark: Mark; words: string } {
  switch (outcome.kind) {
    case 'changed':
      return { mark: 'good', words: 'Done' };
    case 'unchanged':
      return { mark: 'none', words: 'It was so already' };
    case 'refused':
      return { mark: 'bad', words: outcome.reason };
    case 'checked': {
      const wrong = outcome.check.checks.filter(({ required, status }) => required && status !== 'ok');
      return wrong.length === 0
        ? { mark: 'good', words: 'All records are right' }
        : { mark: 'warn', words: `Wrong or missing: ${recordNames(wrong.map(({ record }) => record))}` };
    }
  }
}

/** Runs once, also when React mounts the component twice. Leaving the screen ends it after the calls that run. */
function useRun({ domains, task }: Run, onChanged: (domain: Domain) => void) {
  const [results, setResults] = useState<Result[]>([]);
  const [isStopped, setIsStopped] = useState(false);
  const { mutate, error, isSuccess } = useChange(workOnDomains, SILENT);
  const running = useRef<AbortController | null>(null);
  const changed = useRef(onChanged);
  changed.current = onChanged;
  useEffect(() => {
    const controller = new AbortController();
    running.current = controller;
    const onOutcome = (domain: Domain, outcome: Outcome) => {
      setResults((before) => [...before, { domain, outcome }]);
      if (outcome.kind === 'changed') changed.current(domain);
    };
    // The second mount of a strict render comes before this.
    void Promise.resolve().then(() => {
      if (!controller.signal.aborted) mutate({ domains, task, onOutcome, signal: controller.signal });
    });
    return () => controller.abort();
  }, [domains, task, mutate]);
  const stop = () => {
    setIsStopped(true);
    running.current?.abort();
  };
  return { results, error, isStopped, isDone: isSuccess || error !== null, stop };
}
