import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { SILENT, useChange } from '../../../../api/change.js';
import { addMailboxes, type MailboxBatch, type MailboxOutcome } from '../../../../api/mailbox-batches.js';
import { Bar } from '../../../../parts/bar.js';
import { FactsTable } from '../../../../parts/facts-table.js';
import { NameAsRead } from '../../../../parts/name-as-read.js';
import { countOf } from '../../../../parts/numbers.js';
import { Section } from '../../../../parts/page.js';
import { Failing } from '../../../../parts/states.js';
import { StatusMark } from '../../../../parts/status-mark.js';
import type { Column } from '../../../../parts/table/column.js';
import type { MailboxFile } from './mailbox-lines.js';

/** Of a line of the file: what became of it, or why it could not be used. */
type LineResult = MailboxOutcome | MailboxFile['problems'][number];

const COLUMNS: Column<LineResult>[] = [
  { head: 'Line', cell: ({ line }) => line },
  { head: 'Address', phone: 'bare', cell: (row) => ('email' in row ? <NameAsRead name={row.email} /> : null) },
  {
    head: 'Result',
    phone: 'bare',
    cell: (row) =>
      'problem' in row ? <StatusMark mark="bad">{row.problem}</StatusMark> : <OutcomeMark outcome={row} />,
  },
];

interface AddedMailboxesParts {
  domain: string;
  batches: MailboxBatch[];
  problems: MailboxFile['problems'];
  onClose: () => void;
}

/** Adds the mailboxes of a file: how far it is, then a result for each line, the refused ones first. */
export function AddedMailboxes({ domain, batches, problems, onClose }: AddedMailboxesParts) {
  const { outcomes, isDone, error, stop } = useAdding(domain, batches);
  const total = batches.reduce((sum, { lines }) => sum + lines.length, 0);
  const ofKind = (kind: MailboxOutcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind);
  const [added, present, refused] = [ofKind('added'), ofKind('present'), ofKind('refused')];
  const left = total - outcomes.length;
  return (
    <Section
      title={isDone ? 'Mailboxes of the file' : 'Adding mailboxes'}
      actions={
        <Button variant="default" onClick={isDone ? onClose : stop}>
          {isDone ? 'Close' : 'Stop'}
        </Button>
      }
    >
      <Bar share={outcomes.length / total} label={`${outcomes.length} of ${total} done`} />
      <Group>
        <Text role="status">
          {countOf(added.length, 'mailbox', 'mailboxes')} added, {present.length} there already,{' '}
          {countOf(refused.length + problems.length, 'line')} refused
          {isDone ? (left > 0 ? `, ${left} not sent.` : '.') : `, ${left} to go …`}
        </Text>
      </Group>
      {error !== null && <Failing error={error} />}
      <FactsTable
        label="Results"
        rows={[...problems, ...refused, ...present, ...added]}
        keyOf={({ line }) => line}
        columns={COLUMNS}
      />
    </Section>
  );
}

function OutcomeMark({ outcome: { kind, reason } }: { outcome: MailboxOutcome }) {
  if (kind === 'refused') return <StatusMark mark="bad">{reason}</StatusMark>;
  return kind === 'added' ? (
    <StatusMark mark="good">Added</StatusMark>
  ) : (
    <StatusMark mark="none">There already, unchanged</StatusMark>
  );
}

/** Adds once, also when React mounts the component twice. Leaving the screen ends it after the request that runs. */
function useAdding(domain: string, batches: MailboxBatch[]) {
  const [outcomes, setOutcomes] = useState<MailboxOutcome[]>([]);
  const { mutate, error, isSuccess } = useChange(addMailboxes(domain), SILENT);
  const running = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    running.current = controller;
    const onOutcomes = (more: MailboxOutcome[]) => setOutcomes((before) => [...before, ...more]);
    // The second mount of a strict render comes before this.
    void Promise.resolve().then(() => {
      if (!controller.signal.aborted) mutate({ batches, onOutcomes, signal: controller.signal });
    });
    return () => controller.abort();
  }, [batches, mutate]);
  return { outcomes, error, isDone: isSuccess || error !== null, stop: () => running.current?.abort() };
}
