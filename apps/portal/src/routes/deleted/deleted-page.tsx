import { Alert, List as Items, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.js';
import { deletedQuery, eraseDeleted, restoreDeleted } from '../../api/deleted.js';
import type { Deleted, LeftOut } from '../../api/shapes.js';
import { ConfirmByName } from '../../parts/confirm-by-name.js';
import { List } from '../../parts/list.js';
import { NameAsRead } from '../../parts/name-as-read.js';
import { countOf } from '../../parts/numbers.js';
import { Page } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import type { Column } from '../../parts/table/column.js';
import { RowMenu } from '../../parts/table/row-menu.js';
import { Time } from '../../parts/time.js';
import { useView } from '../frame/view.js';

const FILE_COLUMNS = ['kind', 'name', 'mailboxes', 'aliases', 'deleted_at', 'expires_at'] as const;

interface Restored {
  name: string;
  leftOut: LeftOut[];
}

const COLUMNS: Column<Deleted>[] = [
  { head: 'Name', cell: ({ name }) => <NameAsRead name={name} />, by: ({ name }) => name },
  {
    head: 'Kind',
    phone: 'bare',
    cell: ({ kind }) => (kind === 'domain' ? 'Domain' : 'Mailbox'),
    by: ({ kind }) => kind,
  },
  { head: 'Deleted with it', phone: 'bare', cell: deletedWithIt },
  { head: 'Deleted', cell: ({ deleted_at }) => <Time at={deleted_at} relative />, by: ({ deleted_at }) => deleted_at },
  {
    head: 'Can be restored until',
    cell: ({ expires_at }) => <Time at={expires_at} />,
    by: ({ expires_at }) => expires_at,
  },
];

function deletedWithIt({ kind, mailboxes, aliases }: Deleted): string {
  const boxes = kind === 'domain' ? [countOf(mailboxes, 'mailbox', 'mailboxes')] : [];
  return [...boxes, countOf(aliases, 'alias', 'aliases')].join(', ');
}

/** What was deleted and can be restored, for some days. */
export function DeletedPage() {
  const { partnerRef, may } = useView();
  const [restored, setRestored] = useState<Restored | null>(null);
  const [erased, setErased] = useState<Deleted | null>(null);
  const list = deletedQuery(partnerRef);
  const query = useInfiniteQuery(list);
  const [mayRestore, mayErase] = [may('postDeletedDeletedIdRestore'), may('postDeletedDeletedIdErase')];
  const menu = (row: Deleted) => (
    <DeletedMenu
      row={row}
      onRestored={mayRestore ? setRestored : undefined}
      onErase={mayErase ? () => setErased(row) : undefined}
    />
  );
  return (
    <Page title="Deleted">
      {restored !== null && <Back {...restored} onClose={() => setRestored(null)} />}
      <List
        noun="deleted thing"
        query={query}
        file={{ name: 'deleted', everyPage: list.everyPage, columns: FILE_COLUMNS }}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        menu={mayRestore || mayErase ? menu : undefined}
        empty={
          <Empty title="Nothing is deleted">
            Deleted domains and mailboxes stay here for some days, with their mail, and can be restored.
          </Empty>
        }
      />
      {erased !== null && <Erase row={erased} onClose={() => setErased(null)} />}
    </Page>
  );
}

interface DeletedMenuProps {
  row: Deleted;
  /** Undefined for who may not restore. */
  onRestored: ((restored: Restored) => void) | undefined;
  /** Undefined for who may not erase. */
  onErase: (() => void) | undefined;
}

function DeletedMenu({ row: { id, name }, onRestored, onErase }: DeletedMenuProps) {
  const restore = useChange(restoreDeleted(id), { onDone: (leftOut) => onRestored?.({ name, leftOut }) });
  const tasks = [
    onRestored !== undefined && { label: 'Restore', onSelect: () => restore.mutate(undefined) },
    onErase !== undefined && { label: 'Erase', onSelect: onErase },
  ];
  return <RowMenu of={name} tasks={tasks.filter((task) => task !== false)} isBusy={restore.isPending} />;
}

/** Says what was restored, and names each alias that was not. */
function Back({ name, leftOut, onClose }: Restored & { onClose: () => void }) {
  return (
    <Alert
      variant="default"
      role="status"
      title={`${name} is restored`}
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      {leftOut.length === 0 ? (
        'With its passwords, its aliases and its mail.'
      ) : (
        <>
          <Text size="sm">
            {leftOut.length === 1 ? 'This alias' : 'These aliases'} could not be restored: the mailbox to deliver to is
            gone, or the address is a mailbox now.
          </Text>
          <Items size="sm">
            {leftOut.map(({ address, destination }) => (
              <Items.Item key={`${address} ${destination}`}>
                {address} to {destination}
              </Items.Item>
            ))}
          </Items>
        </>
      )}
    </Alert>
  );
}

function Erase({ row: { id, kind, name }, onClose }: { row: Deleted; onClose: () => void }) {
  return (
    <ConfirmByName
      opened
      name={name}
      action="Erase"
      consequence={`The ${kind}, its passwords and its mail are erased at once. This cannot be undone.`}
      onClose={onClose}
      change={eraseDeleted(id)}
    />
  );
}
