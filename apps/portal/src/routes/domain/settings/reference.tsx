import { TextInput } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changeDomain } from '../../../api/domains.js';
import type { Domain } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { ChangedMeanwhile, useRevisedForm } from '../../../parts/revised-form.js';
import { SettingsForm } from '../../../parts/settings-form.js';
import { t } from '../../../texts/texts.js';

/** What the partner's own system calls the domain. */
export function Reference({ domain }: { domain: Domain }) {
  const { name, external_ref } = domain;
  const revised = useRevisedForm({ external_ref: external_ref ?? '' }, domain.revision);
  const { form, revision } = revised;
  const save = useChange(changeDomain(name), {
    onDone: revised.noteSaved,
    onRefused: (error) => revised.isRefusedByOther(error) || showProblem(form, error, 'external_ref'),
  });
  const send = () => save.mutate({ body: { external_ref: form.values.external_ref.trim() || null }, revision });
  return (
    <SettingsForm title={t('settings.reference')} form={form} isSaving={save.isPending} onSave={send}>
      <ChangedMeanwhile revised={revised} labels={{ external_ref: t('settings.ownReference') }} onRepeat={send} />
      <TextInput
        label={t('settings.ownReference')}
        description={t('settings.ownReferenceWhat')}
        {...form.getInputProps('external_ref')}
      />
    </SettingsForm>
  );
}
