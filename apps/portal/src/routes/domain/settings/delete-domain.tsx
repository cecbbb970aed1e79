import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { SILENT, useChange } from '../../../api/change.js';
import { restoreLatest } from '../../../api/deleted.js';
import { deleteDomain } from '../../../api/domains.js';
import type { Domain } from '../../../api/shapes.js';
import { ConfirmByName } from '../../../parts/confirm-by-name.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Section } from '../../../parts/page.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';

export function DeleteDomain({ domain: { name, mailboxes, aliases } }: { domain: Domain }) {
  const counts = {
    mailboxes: t('mailbox.count', { count: mailboxes }),
    aliases: t('alias.count', { count: aliases }),
  };
  const [isOpen, dialog] = useDisclosure(false);
  const navigate = useNavigate();
  const { may } = useView();
  const restore = useChange(restoreLatest('domain', name, name), SILENT);
  const leave = async () => {
    await navigate({ to: '/domains' });
    const done = t('settings.deleted', { name });
    if (may('postDeletedDeletedIdRestore')) offerUndo(done, () => restore.mutateAsync(undefined));
    else notifications.show({ message: done });
  };
  return (
    <Section title={t('settings.delete')}>
      <Text size="sm">{t('settings.deleteWhat', counts)}</Text>
      <Group>
        <Button color="var(--portal-bad)" variant="outline" onClick={dialog.open}>
          {t('settings.deleteDomain')}
        </Button>
      </Group>
      <ConfirmByName
        name={name}
        consequence={t('settings.deleteConsequence', counts)}
        opened={isOpen}
        onClose={dialog.close}
        change={deleteDomain(name)}
        onDone={leave}
      />
    </Section>
  );
}
