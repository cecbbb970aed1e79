import type { ComponentProps, ReactNode } from 'react';
import { useState } from 'react';
import type { KeyRing } from '../../api/api-keys.js';
import { rowsOf } from '../../api/paged-list.js';
import type { ApiKey } from '../../api/shapes.js';
import { List } from '../../parts/list.js';
import { RowMenu } from '../../parts/table/row-menu.js';
import { useView } from '../frame/view.js';
import { keyColumns } from './key-columns.js';
import { KEY_TASKS, type KeyTask, KeyTaskDialog } from './key-dialogs.js';
import { keyName } from './key-name.js';

const LABELS: Record<KeyTask['kind'], string> = {
  change: 'Change',
  rotate: 'Rotate',
  sessions: 'End sessions',
  revoke: 'Revoke',
};

interface KeyListParts {
  query: ComponentProps<typeof List<ApiKey>>['query'];
  /** What is done with the keys, as far as the caller may. */
  ring: KeyRing;
  isOperator?: boolean;
  showsPartner?: boolean;
  empty: ReactNode;
}

/**
 * Keys with what they may do. The dialogs belong to the list, not to a row: a new token must not go when its row does.
 */
export function KeyList({ query, ring, isOperator = false, showsPartner = false, empty }: KeyListParts) {
  const [task, setTask] = useState<KeyTask | null>(null);
  const { may } = useView();
  const tasks = KEY_TASKS.filter((kind) => {
    const operation = ring.operations[kind];
    return operation !== null && may(operation);
  });
  const menu = (key: ApiKey) => (
    <RowMenu
      of={keyName(key)}
      tasks={tasks.map((kind) => ({ label: LABELS[kind], onSelect: () => setTask({ kind, key }) }))}
    />
  );
  return (
    <>
      <List
        noun="key"
        query={query}
        keyOf={({ id }) => id}
        columns={keyColumns({ isOperator, showsPartner })}
        menu={tasks.length === 0 ? undefined : menu}
        empty={empty}
      />
      {task !== null && (
        <KeyTaskDialog task={asItIs(task, query)} ring={ring} isOperator={isOperator} onClose={() => setTask(null)} />
      )}
    </>
  );
}

/** The key as it was read last, while the list has it: others may have changed it since the dialog was opened. */
function asItIs(task: KeyTask, { data }: KeyListParts['query']): KeyTask {
  const rows = data === undefined ? [] : rowsOf(data);
  return { ...task, key: rows.find(({ id }) => id === task.key.id) ?? task.key };
}
