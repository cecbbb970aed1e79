import { NumberInput, Switch, TextInput } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changeMailbox } from '../../../api/mailboxes.js';
import type { MailboxDetails } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { ChangedMeanwhile, useRevisedForm } from '../../../parts/revised-form.js';
import { SettingsForm, sayItIsSaved } from '../../../parts/settings-form.js';
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
  const revised = useRevisedForm(valuesOf(mailbox), mailbox.revision);
  const { form, revision } = revised;
  const save = useChange(changeMailbox(domain, email), {
    onDone: () => {
      revised.noteSaved();
      sayItIsSaved();
    },
    onRefused: (error) => revised.isRefusedByOther(error) || showProblem(form, error, 'quota_mb'),
  });
  const labels = {
    name: t('mailbox.name'),
    quota_mb: t('mailbox.quota'),
    outbound_daily_limit: t('mailbox.perDay'),
    active: t('mailbox.mayLogIn'),
  };
  const send = (typed: Values) => save.mutate({ body: bodyOf(typed), revision });
  return (
    <SettingsForm title={t('mailbox.settings')} form={form} isSaving={save.isPending} onSave={send} isMain>
      <ChangedMeanwhile revised={revised} labels={labels} onRepeat={() => send(form.getValues())} />
      <TextInput label={labels.name} {...form.getInputProps('name')} />
      <NumberInput
        label={labels.quota_mb}
        description={t('mailbox.quotaWhat')}
        min={0}
        allowDecimal={false}
        {...form.getInputProps('quota_mb')}
      />
      <NumberInput
        label={labels.outbound_daily_limit}
        description={t('mailbox.perDayWhat')}
        min={0}
        allowDecimal={false}
        {...form.getInputProps('outbound_daily_limit')}
      />
      <Switch
        label={labels.active}
        description={t('mailbox.mayLogInWhat')}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </SettingsForm>
  );
}

function valuesOf({ name, quota_mb, outbound_daily_limit, active }: MailboxDetails): Values {
  return { name: name ?? '', quota_mb, outbound_daily_limit, active };
}

function bodyOf({ name, quota_mb, outbound_daily_limit, active }: Values) {
  return {
    name: name.trim() || null,
    // An empty field is not a limit of zero: the API names the field.
    quota_mb: quota_mb as number,
    outbound_daily_limit: outbound_daily_limit as number,
    active,
  } satisfies Record<keyof Values, unknown>;
}
