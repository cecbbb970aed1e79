import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { addAlias, deleteAlias } from '../../../api/aliases.js';
import { SILENT, useChange } from '../../../api/change.js';
import type { Alias } from '../../../api/shapes.js';
import { ConfirmByName } from '../../../parts/confirm-by-name.js';
import { offerUndo } from '../../../parts/offer-undo.js';

/** Deletes on one click when it can be undone: an alias has nothing but its two addresses. Otherwise it asks first. */
export function DeleteAlias({ domain, alias: { id, address, destination } }: { domain: string; alias: Alias }) {
  const [isAsking, question] = useDisclosure(false);
  const restore = useChange(addAlias(domain), SILENT);
  const remove = useChange(deleteAlias(domain, id), {
    onDone: () => {
      if (destination !== null)
        offerUndo(`${address} no longer delivers to ${destination}.`, () =>
          restore.mutateAsync({ address, destination }),
        );
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={remove.isPending}
        aria-label={`Delete ${address} to ${destination ?? 'a mailbox that you do not see'}`}
        onClick={() => (destination === null ? question.open() : remove.mutate(undefined))}
      >
        Delete
      </Button>
      <ConfirmByName
        name={address}
        consequence="You do not see where it delivers, so you cannot undo this."
        opened={isAsking}
        onClose={question.close}
        change={deleteAlias(domain, id)}
      />
    </>
  );
}
