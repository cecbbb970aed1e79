import { Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { addAlias, deleteAlias } from '../../../api/aliases.js';
import { SILENT, useChange } from '../../../api/change.js';
import type { Alias } from '../../../api/shapes.js';
import { ConfirmByName } from '../../../parts/confirm-by-name.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { RowMenu } from '../../../parts/table/row-menu.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';
import { ChangeAlias } from './change-alias.js';

interface AliasMenuProps {
  domain: string;
  alias: Alias;
}

/** Changes where an alias delivers to, and deletes it. */
export function AliasMenu({ domain, alias }: AliasMenuProps) {
  const { may } = useView();
  const [isChanging, dialog] = useDisclosure(false);
  const [isAsking, question] = useDisclosure(false);
  const remove = useDeletion(domain, alias);
  const { address, destination } = alias;
  const tasks = [
    may('putAliasesAlias') && { label: t('alias.change'), onSelect: dialog.open },
    may('deleteAliasesAlias') && {
      label: t('alias.delete'),
      onSelect: () => (destination === null ? question.open() : remove.mutate(undefined)),
    },
  ];
  return (
    <>
      <RowMenu of={address} tasks={tasks.filter((task) => task !== false)} isBusy={remove.isPending} />
      <Modal opened={isChanging} onClose={dialog.close} title={address}>
        <ChangeAlias domain={domain} alias={alias} onDone={dialog.close} />
      </Modal>
      <ConfirmByName
        name={address}
        consequence={t('alias.cannotUndo')}
        opened={isAsking}
        onClose={question.close}
        change={deleteAlias(domain, alias.id)}
      />
    </>
  );
}

/** Deletes on one click when it can be undone: an alias has nothing but its two addresses. Otherwise ask first. */
function useDeletion(domain: string, { id, address, destination }: Alias) {
  const restore = useChange(addAlias(domain), SILENT);
  return useChange(deleteAlias(domain, id), {
    onDone: () => {
      if (destination !== null)
        offerUndo(t('alias.deleted', { address, destination }), () => restore.mutateAsync({ address, destination }));
    },
  });
}
