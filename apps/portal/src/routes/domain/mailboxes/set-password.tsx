import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useChange } from '../../../api/change.js';
import { changeMailbox } from '../../../api/mailboxes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { Section } from '../../../parts/page.js';
import { PasswordField } from '../../../parts/password-field.js';
import { t } from '../../../texts/texts.js';

/** Sets another password. The present one cannot be shown: only its hash is stored. */
export function SetPassword({ domain, email }: { domain: string; email: string }) {
  const form = useForm({ initialValues: { password: '' } });
  const save = useChange(changeMailbox(domain, email), {
    onDone: () => notifications.show({ message: t('mailbox.passwordIsSet') }),
    onRefused: (error) => showProblem(form, error, 'password'),
  });
  return (
    <Section title={t('mailbox.password')}>
      <form onSubmit={form.onSubmit((body) => save.mutate({ body }))}>
        <Stack gap="sm">
          <PasswordField form={form} />
          <Group>
            <Button type="submit" variant="default" loading={save.isPending} disabled={form.values.password === ''}>
              {t('mailbox.setPassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
