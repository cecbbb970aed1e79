import { Alert, Button, Group, List as Items, Table, Text } from '@mantine/core';
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
import { Time } from '../../parts/time.js';
import { useView } from '../frame/view.js';

const FILE_COLUMNS = ['kind', 'name', 'mailboxes', 'aliases', 'deleted_at', 'expires_at'] as const;

interface Restored {
  name: string;
  leftOut: LeftOut[];
}

/** What was deleted and can be restored, for some days. */
export function DeletedPage() {
  const { partnerRef, may } = useView();
  const [restored, setRestored] = useState<Restored | null>(null);
  const [erased, setErased] = useState<Deleted | null>(null);
  const list = deletedQuery(partnerRef);
  const query = useInfiniteQuery(list);
  const [mayRestore, mayErase] = [may('postDeletedDeletedIdRestore'), may('postDeletedDeletedIdErase')];
  const hasTasks = mayRestore || mayErase;
  return (
    <Page title="Deleted">
      {restored !== null && <Back {...restored} onClose={() => setRestored(null)} />}
      <List
        noun="deleted thing"
        query={query}
        file={{ name: 'deleted', everyPage: list.everyPage, columns: FILE_COLUMNS }}
        columns={[
          'Name',
          'Kind',
          'Deleted with it',
          'Deleted',
          'Can be restored until',
          ...(hasTasks ? ['Change'] : []),
        ]}
        row={(row) => (
          <Table.Tr key={row.id}>
            <Cells row={row} />
            {hasTasks && (
              <Table.Td>
                <Group gap="xs" wrap="nowrap">
                  {mayRestore && <Restore row={row} onRestored={setRestored} />}
                  {mayErase && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={`Erase ${row.name}`}
                      onClick={() => setErased(row)}
                    >
                      Erase
                    </Button>
                  )}
                </Group>
              </Table.Td>
            )}
          </Table.Tr>
        )}
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

function Cells({ row: { name, kind, mailboxes, aliases, deleted_at, expires_at } }: { row: Deleted }) {
  const boxes = kind === 'domain' ? [countOf(mailboxes, 'mailbox', 'mailboxes')] : [];
  return (
    <>
      <Table.Td>
        <NameAsRead name={name} />
      </Table.Td>
      <Table.Td>{kind === 'domain' ? 'Domain' : 'Mailbox'}</Table.Td>
      <Table.Td>{[...boxes, countOf(aliases, 'alias', 'aliases')].join(', ')}</Table.Td>
      <Table.Td>
        <Time at={deleted_at} relative />
      </Table.Td>
      <Table.Td>
        <Time at={expires_at} />
      </Table.Td>
    </>
  );
}

function Restore({ row: { id, name }, onRestored }: { row: Deleted; onRestored: (restored: Restored) => void }) {
  const restore = useChange(restoreDeleted(id), { onDone: (leftOut) => onRestored({ name, leftOut }) });
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`Restore ${name}`}
      loading={restore.isPending}
      onClick={() => restore.mutate(undefined)}
    >
      Restore
    </Button>
  );
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
