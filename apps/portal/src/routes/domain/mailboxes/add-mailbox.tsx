import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../../api/change.js';
import { addMailbox } from '../../../api/mailboxes.js';
import { DialogButton } from '../../../parts/dialog-button.js';
import { showProblem } from '../../../parts/form-problems.js';
import { PasswordField } from '../../../parts/password-field.js';
import { addressIn } from '../address-in.js';

interface Values extends Record<string, string> {
  email: string;
  name: string;
  password: string;
}

export function AddMailbox({ domain }: { domain: string }) {
  return (
    <DialogButton label="Add mailbox" title="Add a mailbox">
      {() => <MailboxForm domain={domain} />}
    </DialogButton>
  );
}

function MailboxForm({ domain }: { domain: string }) {
  const navigate = useNavigate();
  const form = useForm<Values>({ initialValues: { email: '', name: '', password: '' } });
  const add = useChange(addMailbox(domain), {
    onDone: (email) => void navigate({ to: '/domains/$domain/mailboxes/$email', params: { domain, email } }),
    onRefused: (error) => showProblem(form, error, 'email'),
  });
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
          label="Address"
          description={`The part before @${domain} is enough`}
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <TextInput label="Name" description="Of the person or the purpose" {...form.getInputProps('name')} />
        <PasswordField form={form} />
        <Button type="submit" loading={add.isPending}>
          Add mailbox
        </Button>
      </Stack>
    </form>
  );
}
