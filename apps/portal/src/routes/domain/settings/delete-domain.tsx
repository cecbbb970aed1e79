import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { SILENT, useChange } from '../../../api/change.js';
import { restoreLatest } from '../../../api/deleted.js';
import { deleteDomain } from '../../../api/domains.js';
import type { Domain } from '../../../api/shapes.js';
import { ConfirmByName } from '../../../parts/confirm-by-name.js';
import { countOf } from '../../../parts/numbers.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Section } from '../../../parts/page.js';
import { useView } from '../../frame/view.js';

export function DeleteDomain({ domain: { name, mailboxes, aliases } }: { domain: Domain }) {
  const [isOpen, dialog] = useDisclosure(false);
  const navigate = useNavigate();
  const { may } = useView();
  const restore = useChange(restoreLatest('domain', name, name), SILENT);
  const leave = async () => {
    await navigate({ to: '/domains' });
    const done = `${name} is deleted.`;
    if (may('postDeletedDeletedIdRestore')) offerUndo(done, () => restore.mutateAsync(undefined));
    else notifications.show({ message: done });
  };
  return (
    <Section title="Delete">
      <Text size="sm">
        The domain, {countOf(mailboxes, 'mailbox', 'mailboxes')} and {countOf(aliases, 'alias', 'aliases')} go at once.
        For some days they can be restored.
      </Text>
      <Group>
        <Button color="var(--portal-bad)" variant="outline" onClick={dialog.open}>
          Delete domain
        </Button>
      </Group>
      <ConfirmByName
        name={name}
        consequence={`Its ${countOf(mailboxes, 'mailbox', 'mailboxes')} and ${countOf(aliases, 'alias', 'aliases')} go with it. For some days all of it can be restored under Deleted.`}
        opened={isOpen}
        onClose={dialog.close}
        change={deleteDomain(name)}
        onDone={leave}
      />
    </Section>
  );
}
