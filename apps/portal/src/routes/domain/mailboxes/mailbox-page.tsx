import { Button, Group, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { may as mayCall } from '../../../api/caller.js';
import { SILENT, useChange } from '../../../api/change.js';
import { restoreLatest } from '../../../api/deleted.js';
import { deleteMailbox, mailboxQuery } from '../../../api/mailboxes.js';
import type { MailboxDetails } from '../../../api/shapes.js';
import { ConfirmByName } from '../../../parts/confirm-by-name.js';
import { TextLink } from '../../../parts/links.js';
import { MailState } from '../../../parts/mail-now/mail-state.js';
import { NameAsRead } from '../../../parts/name-as-read.js';
import { offerUndo } from '../../../parts/offer-undo.js';
import { Columns } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import { namedInText } from '../../../parts/unicode-name.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';
import { AskMessage } from '../../messages/ask-message.js';
import { AliasesOfMailbox } from './aliases-of-mailbox.js';
import { MailPrograms } from './mail-programs.js';
import { MailboxSettings } from './mailbox-settings.js';
import { MailboxStorage } from './mailbox-storage.js';
import { SetPassword } from './set-password.js';

/** One mailbox: its password, its limits, and what its user needs to know. */
export function MailboxPage() {
  const { domain, email } = useParams({ from: '/in/domains/$domain/mailboxes/$email' });
  const query = useQuery(mailboxQuery(domain, email));
  const { caller, may } = useView();
  return (
    <Stack>
      <TextLink to="/domains/$domain/mailboxes" params={{ domain }} size="sm">
        {t('mailbox.all', { domain: namedInText(domain) })}
      </TextLink>
      <Queried query={query}>
        {(mailbox) => (
          <Stack gap="lg">
            <Group justify="space-between">
              <Title order={2} fz="lg">
                <NameAsRead name={email} />
              </Title>
              {may('deleteUsersEmail') && <DeleteMailbox domain={domain} mailbox={mailbox} />}
            </Group>
            <MailState
              domain={domain}
              verdict={mailbox.verdict}
              incoming={mailbox.incoming}
              isActive={mailbox.active}
              mailbox={email}
            />
            {mayCall(caller, 'getMessages') && <AskAboutMail domain={domain} email={email} />}
            <Columns>
              <MailboxStorage mailbox={mailbox} />
              <AliasesOfMailbox domain={domain} email={email} />
              {may('putUsersEmail') && (
                <MailboxSettings key={`settings-${mailbox.id}`} domain={domain} mailbox={mailbox} />
              )}
              {may('putUsersEmail') && <SetPassword key={`password-${mailbox.id}`} domain={domain} email={email} />}
              <MailPrograms email={mailbox.email} />
            </Columns>
          </Stack>
        )}
      </Queried>
    </Stack>
  );
}

/** Leads to the messages that the mailbox sent or received. */
function AskAboutMail({ domain, email }: { domain: string; email: string }) {
  const navigate = useNavigate();
  return (
    <AskMessage
      label={t('ask.mailbox')}
      onAsk={(about) =>
        void navigate({ to: '/domains/$domain/messages', params: { domain }, search: { about, mailbox: email } })
      }
    />
  );
}

function DeleteMailbox({ domain, mailbox: { email } }: { domain: string; mailbox: MailboxDetails }) {
  const [isOpen, dialog] = useDisclosure(false);
  const navigate = useNavigate();
  const { may } = useView();
  const restore = useChange(restoreLatest('mailbox', email, domain), SILENT);
  const leave = async () => {
    await navigate({ to: '/domains/$domain/mailboxes', params: { domain } });
    const done = t('mailbox.deleted', { name: email });
    if (may('postDeletedDeletedIdRestore')) offerUndo(done, () => restore.mutateAsync(undefined));
    else notifications.show({ message: done });
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t('page.delete')}
      </Button>
      <ConfirmByName
        name={email}
        consequence={t('mailbox.deleteWhat')}
        opened={isOpen}
        onClose={dialog.close}
        change={deleteMailbox(domain, email)}
        onDone={leave}
      />
    </>
  );
}
