import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { useChange } from '../../../api/change.js';
import { addMailbox } from '../../../api/mailboxes.js';
import { useEnded } from '../../../api/session.js';
import { type Dialog, DialogButton } from '../../../parts/dialog-button.js';
import { showProblem } from '../../../parts/form-problems.js';
import { PasswordField } from '../../../parts/password-field.js';
import { t } from '../../../texts/texts.js';
import { addressIn } from '../address-in.js';
import { NewMailboxCard } from './new-mailbox-card.js';

interface Values extends Record<string, string> {
  email: string;
  name: string;
  password: string;
}

export function AddMailbox({ domain, dialog }: { domain: string; dialog: Dialog }) {
  return (
    <DialogButton label={t('mailbox.add')} title={t('mailbox.addTitle')} showsOnce dialog={dialog}>
      {() => <MailboxForm domain={domain} />}
    </DialogButton>
  );
}

function MailboxForm({ domain }: { domain: string }) {
  const form = useForm<Values>({ initialValues: { email: '', name: '', password: '' } });
  const add = useChange(addMailbox(domain), { onRefused: (error) => showProblem(form, error, 'email') });
  const isOut = useEnded() !== null;
  // The card stays behind the door, as the form would, without its password.
  useEffect(() => {
    if (isOut) form.setFieldValue('password', '');
  }, [isOut]);
  if (add.data !== undefined)
    return <NewMailboxCard domain={domain} email={add.data} password={form.values.password} />;
  return (
    <form
      onSubmit={form.onSubmit(({ email, name, password }) =>
        add.mutate({
          email: addressIn(domain, email),
          password,
          ...(name.trim() === '' ? {} : { name: name.trim() }),
        }),
      )}
    >
      <Stack>
        <TextInput
          data-autofocus
          label={t('mailbox.address')}
          description={t('mailbox.partIsEnough', { domain })}
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <TextInput label={t('mailbox.name')} description={t('mailbox.nameWhat')} {...form.getInputProps('name')} />
        <PasswordField form={form} />
        <Button type="submit" loading={add.isPending}>
          {t('mailbox.add')}
        </Button>
      </Stack>
    </form>
  );
}
