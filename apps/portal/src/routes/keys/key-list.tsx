import type { ComponentProps, ReactNode } from 'react';
import { useState } from 'react';
import type { KeyRing } from '../../api/api-keys.js';
import type { ApiKey } from '../../api/shapes.js';
import { List } from '../../parts/list.js';
import { useView } from '../frame/view.js';
import { KEY_TASKS, type KeyTask, KeyTaskDialog } from './key-dialogs.js';
import { KeyRow } from './key-row.js';

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
  return (
    <>
      <List
        noun="key"
        query={query}
        columns={[
          'Key',
          ...(showsPartner ? ['Partner'] : []),
          'May',
          ...(isOperator ? ['Limits'] : []),
          'State',
          'Last used',
          ...(tasks.length === 0 ? [] : ['Change']),
        ]}
        row={(key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            isOperator={isOperator}
            showsPartner={showsPartner}
            tasks={tasks}
            onTask={(kind) => setTask({ kind, key })}
          />
        )}
        empty={empty}
      />
      {task !== null && <KeyTaskDialog task={task} ring={ring} isOperator={isOperator} onClose={() => setTask(null)} />}
    </>
  );
}
