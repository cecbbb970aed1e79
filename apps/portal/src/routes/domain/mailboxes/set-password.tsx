import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useChange } from '../../../api/change.js';
import { changeMailbox } from '../../../api/mailboxes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { Section } from '../../../parts/page.js';
import { PasswordField } from '../../../parts/password-field.js';

/** Sets another password. The present one cannot be shown: only its hash is stored. */
export function SetPassword({ domain, email }: { domain: string; email: string }) {
  const form = useForm({ initialValues: { password: '' } });
  const save = useChange(changeMailbox(domain, email), {
    onDone: () => notifications.show({ message: 'The password is set. Mail programs need the new one from now on.' }),
    onRefused: (error) => showProblem(form, error, 'password'),
  });
  return (
    <Section title="Password">
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="sm">
          <PasswordField form={form} />
          <Button type="submit" variant="default" loading={save.isPending} disabled={form.values.password === ''}>
            Set password
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
