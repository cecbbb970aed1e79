import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { addAlias, deleteAlias } from '../../../api/aliases.js';
import { SILENT, useChange } from '../../../api/change.js';
import type { Alias } from '../../../api/shapes.js';
import { ConfirmByName } from '../../../parts/confirm-by-name.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { t } from '../../../texts/texts.js';

/** Deletes on one click when it can be undone: an alias has nothing but its two addresses. Otherwise it asks first. */
export function DeleteAlias({ domain, alias: { id, address, destination } }: { domain: string; alias: Alias }) {
  const [isAsking, question] = useDisclosure(false);
  const restore = useChange(addAlias(domain), SILENT);
  const remove = useChange(deleteAlias(domain, id), {
    onDone: () => {
      if (destination !== null)
        offerUndo(t('alias.deleted', { address, destination }), () => restore.mutateAsync({ address, destination }));
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={remove.isPending}
        aria-label={t('alias.deleteOf', { address, destination: destination ?? t('alias.hidden') })}
        onClick={() => (destination === null ? question.open() : remove.mutate(undefined))}
      >
        {t('alias.delete')}
      </Button>
      <ConfirmByName
        name={address}
        consequence={t('alias.cannotUndo')}
        opened={isAsking}
        onClose={question.close}
        change={deleteAlias(domain, id)}
      />
    </>
  );
}
