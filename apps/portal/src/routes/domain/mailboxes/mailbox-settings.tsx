import { NumberInput, Switch, TextInput } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changeMailbox } from '../../../api/mailboxes.js';
import type { MailboxDetails } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { SettingsForm, sayItIsSaved, useSettings } from '../../../parts/settings-form.js';
import { t } from '../../../texts/texts.js';

/** Not an interface: an interface below `Record` would have every string as a key. */
type Values = {
  name: string;
  quota_mb: number | string;
  outbound_daily_limit: number | string;
  active: boolean;
};

/** What may be changed of a mailbox besides its password. */
export function MailboxSettings({ domain, mailbox }: { domain: string; mailbox: MailboxDetails }) {
  const { email } = mailbox;
  const form = useSettings(valuesOf(mailbox));
  const save = useChange(changeMailbox(domain, email), {
    onDone: () => {
      form.resetDirty();
      sayItIsSaved();
    },
    onRefused: (error) => showProblem(form, error, 'quota_mb'),
  });
  return (
    <SettingsForm
      title={t('mailbox.settings')}
      form={form}
      isSaving={save.isPending}
      onSave={({ name, quota_mb, outbound_daily_limit, active }) =>
        save.mutate({
          name: name.trim() || null,
          // An empty field is not a limit of zero: the API names the field.
          quota_mb: quota_mb as number,
          outbound_daily_limit: outbound_daily_limit as number,
          active,
        } satisfies Record<keyof Values, unknown>)
      }
    >
      <TextInput label={t('mailbox.name')} {...form.getInputProps('name')} />
      <NumberInput
        label={t('mailbox.quota')}
        description={t('mailbox.quotaWhat')}
        min={0}
        allowDecimal={false}
        {...form.getInputProps('quota_mb')}
      />
      <NumberInput
        label={t('mailbox.perDay')}
        description={t('mailbox.perDayWhat')}
        min={0}
        allowDecimal={false}
        {...form.getInputProps('outbound_daily_limit')}
      />
      <Switch
        label={t('mailbox.mayLogIn')}
        description={t('mailbox.mayLogInWhat')}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </SettingsForm>
  );
}

function valuesOf({ name, quota_mb, outbound_daily_limit, active }: MailboxDetails): Values {
  return { name: name ?? '', quota_mb, outbound_daily_limit, active };
}
