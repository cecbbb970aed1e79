import { Button, Checkbox, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { MOST_DOMAINS, type PlanName } from '../../../api/many-domains.js';
import { sentenceOf } from '../../../api/problem.js';
import type { Domain, SuspensionCause } from '../../../api/shapes.js';
import { countOf } from '../../../parts/numbers.js';
import type { Chosen } from './use-chosen.js';
import type { Tasks, Work } from './work.js';

interface ChoiceBarParts {
  chosen: Chosen;
  shown: Domain[];
  /** Reads the list from its beginning; null when all of it is shown. */
  everyPage: ((signal: AbortSignal) => AsyncGenerator<Domain[], void, undefined>) | null;
  tasks: Tasks;
  onWork: (work: Work) => void;
}

/** Chooses all rows, and offers what can be done with the chosen ones. */
export function ChoiceBar({ chosen, shown, everyPage, tasks, onWork }: ChoiceBarParts) {
  const { size } = chosen.domains;
  const isAll = shown.length > 0 && shown.every(({ name }) => chosen.domains.has(name));
  return (
    <Group gap="sm" role="group" aria-label="Chosen domains">
      <Checkbox
        label={`Select these ${countOf(Math.min(shown.length, MOST_DOMAINS), 'domain')}`}
        checked={isAll}
        indeterminate={size > 0 && !isAll}
        onChange={() => (isAll ? chosen.remove(shown) : chosen.add(shown))}
      />
      {everyPage !== null && <SelectFirst everyPage={everyPage} onRead={chosen.add} />}
      {size > 0 && (
        <>
          <Text size="sm" role="status">
            {countOf(size, 'domain')} selected{size === MOST_DOMAINS && ', the most at once'}
          </Text>
          {tasks.causes.length > 0 && <Suspend tasks={tasks} count={size} onWork={onWork} />}
          {tasks.maySetPlan && <SetPlan tasks={tasks} count={size} onWork={onWork} />}
          {tasks.mayCheck && (
            <Button size="xs" variant="default" onClick={() => onWork(tasks.check)}>
              Check DNS
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={() => chosen.remove([...chosen.domains.values()])}>
            Select none
          </Button>
        </>
      )}
    </Group>
  );
}

interface SelectFirstParts {
  everyPage: (signal: AbortSignal) => AsyncGenerator<Domain[], void, undefined>;
  onRead: (domains: Domain[]) => void;
}

function SelectFirst({ everyPage, onRead }: SelectFirstParts) {
  const [isReading, setIsReading] = useState(false);
  const read = async () => {
    setIsReading(true);
    try {
      const first: Domain[] = [];
      for await (const page of everyPage(new AbortController().signal)) {
        first.push(...page);
        if (first.length >= MOST_DOMAINS) break;
      }
      onRead(first);
    } catch (error) {
      notifications.show({ color: 'red', title: 'Not selected', message: sentenceOf(error) });
    } finally {
      setIsReading(false);
    }
  };
  return (
    <Button size="xs" variant="subtle" loading={isReading} onClick={() => void read()}>
      Select the first {MOST_DOMAINS} of the list
    </Button>
  );
}

interface TaskParts {
  tasks: Tasks;
  count: number;
  onWork: (work: Work) => void;
}

function Suspend({ tasks, count, onWork }: TaskParts) {
  const [cause, setCause] = useState<SuspensionCause | null>(tasks.causes[0] ?? null);
  return (
    <TaskDialog
      label="Suspend"
      title={`Suspend ${countOf(count, 'domain')}?`}
      onSubmit={() => cause !== null && onWork(tasks.suspend(cause))}
    >
      <Text size="sm">Incoming mail then waits at its senders, nobody can log in or send, and nothing is lost.</Text>
      {tasks.causes.length > 1 && (
        <Select label="Cause" data={tasks.causes} value={cause} onChange={setCause} allowDeselect={false} />
      )}
    </TaskDialog>
  );
}

const PLANS: PlanName[] = ['starter', 'business', 'enterprise'];

function SetPlan({ tasks, count, onWork }: TaskParts) {
  const [plan, setPlan] = useState<PlanName>('starter');
  return (
    <TaskDialog
      label="Set plan"
      title={`Set the plan of ${countOf(count, 'domain')}?`}
      onSubmit={() => onWork(tasks.setPlan(plan))}
    >
      <Text size="sm">
        It sets how long mail is kept, the transfer, and the storage of each mailbox that has the storage of the former
        plan.
      </Text>
      <Select
        label="Plan"
        data={PLANS}
        value={plan}
        onChange={(value) => setPlan(value ?? 'starter')}
        allowDeselect={false}
      />
    </TaskDialog>
  );
}

interface TaskDialogParts {
  label: string;
  title: string;
  onSubmit: () => void;
  children: ReactNode;
}

function TaskDialog({ label, title, onSubmit, children }: TaskDialogParts) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={title}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          <Stack>
            {children}
            <Group justify="flex-end">
              <Button variant="default" onClick={dialog.close}>
                Cancel
              </Button>
              <Button type="submit" data-autofocus>
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
