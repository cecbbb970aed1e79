import { Button, Group, SimpleGrid, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { isWholePartner } from '../../../api/caller.js';
import { deleteMailbox, mailboxKey, mailboxQuery } from '../../../api/mailboxes.js';
import type { MailboxDetails } from '../../../api/shapes.js';
import { ConfirmByName } from '../../../parts/confirm-by-name.js';
import { TextLink } from '../../../parts/links.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Queried } from '../../../parts/queried.js';
import { useView } from '../../frame/view.js';
import { AliasesOfMailbox } from './aliases-of-mailbox.js';
import { MailPrograms } from './mail-programs.js';
import { MailboxSettings } from './mailbox-settings.js';
import { MailboxStorage } from './mailbox-storage.js';
import { SetPassword } from './set-password.js';

/** One mailbox: its password, its limits, and what its user needs to know. */
export function MailboxPage() {
  const { domain, email } = useParams({ from: '/in/domains/$domain/mailboxes/$email' });
  const query = useQuery(mailboxQuery(email));
  const { mayChange } = useView();
  return (
    <Stack>
      <TextLink to="/domains/$domain/mailboxes" params={{ domain }} size="sm">
        All mailboxes of {domain}
      </TextLink>
      <Queried query={query}>
        {(mailbox) => (
          <Stack gap="xl">
            <Group justify="space-between">
              <Title order={2}>{email}</Title>
              {mayChange && <DeleteMailbox domain={domain} mailbox={mailbox} />}
            </Group>
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="xl">
              <MailboxStorage mailbox={mailbox} />
              <AliasesOfMailbox domain={domain} email={email} />
              {mayChange && <MailboxSettings key={`settings-${mailbox.id}`} domain={domain} mailbox={mailbox} />}
              {mayChange && <SetPassword key={`password-${mailbox.id}`} email={email} />}
              <MailPrograms email={email} />
            </SimpleGrid>
          </Stack>
        )}
      </Queried>
    </Stack>
  );
}

function DeleteMailbox({ domain, mailbox: { email } }: { domain: string; mailbox: MailboxDetails }) {
  const [isOpen, dialog] = useDisclosure(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { caller } = useView();
  const readAgain = () =>
    Promise.all(
      [['domain', domain], ['me'], ['deleted']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
  const remove = async () => {
    const restore = await deleteMailbox({ email, domain });
    await navigate({ to: '/domains/$domain/mailboxes', params: { domain } });
    queryClient.removeQueries({ queryKey: mailboxKey(email) });
    await readAgain();
    if (!isWholePartner(caller)) {
      notifications.show({ message: `${email} is deleted.` });
      return;
    }
    offerUndo(`${email} is deleted.`, async () => {
      await restore();
      await readAgain();
    });
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Delete
      </Button>
      <ConfirmByName
        name={email}
        consequence="Its mail and the aliases that deliver to it go with it. For some days it can be restored under Deleted."
        opened={isOpen}
        onClose={dialog.close}
        onConfirm={remove}
      />
    </>
  );
}
