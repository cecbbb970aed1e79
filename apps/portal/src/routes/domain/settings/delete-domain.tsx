import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/client.js';
import { restoreLatest } from '../../../api/deleted.js';
import type { Domain } from '../../../api/shapes.js';
import { ConfirmByName } from '../../../parts/confirm-by-name.js';
import { countOf } from '../../../parts/numbers.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Section } from '../../../parts/page.js';

export function DeleteDomain({ domain: { name, mailboxes, aliases } }: { domain: Domain }) {
  const [isOpen, dialog] = useDisclosure(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const readAgain = () =>
    Promise.all([['domains'], ['me'], ['deleted']].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  const remove = async () => {
    await api.DELETE('/domains/{domain_name}', { params: { path: { domain_name: name } } });
    await navigate({ to: '/domains' });
    queryClient.removeQueries({ queryKey: ['domain', name] });
    await readAgain();
    offerUndo(`${name} is deleted.`, async () => {
      await restoreLatest('domain', name, name);
      await readAgain();
    });
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
        onConfirm={remove}
      />
    </Section>
  );
}
