import { TextInput } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changePartner } from '../../../api/partners.js';
import type { Partner } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { ChangedMeanwhile, useRevisedForm } from '../../../parts/revised-form.js';
import { SettingsForm, sayItIsSaved } from '../../../parts/settings-form.js';

const LABELS = { name: 'Name', external_ref: 'Reference of another system' };

/** What people and other systems call the partner. */
export function PartnerNames({ partner }: { partner: Partner }) {
  const { partner_ref, name, external_ref } = partner;
  const revised = useRevisedForm({ name: name ?? '', external_ref: external_ref ?? '' }, partner.revision);
  const { form, revision } = revised;
  const save = useChange(changePartner(partner_ref), {
    onDone: () => {
      revised.noteSaved();
      sayItIsSaved();
    },
    onRefused: (error) => revised.isRefusedByOther(error) || showProblem(form, error, 'name'),
  });
  const send = (typed: typeof form.values) => {
    const body = { name: typed.name.trim() || null, external_ref: typed.external_ref.trim() || null };
    save.mutate({ body, revision });
  };
  return (
    <SettingsForm title="Names" form={form} isSaving={save.isPending} onSave={send}>
      <ChangedMeanwhile revised={revised} labels={LABELS} onRepeat={() => send(form.getValues())} />
      <TextInput label={LABELS.name} autoComplete="off" {...form.getInputProps('name')} />
      <TextInput
        label={LABELS.external_ref}
        description="A customer number, for example"
        autoComplete="off"
        {...form.getInputProps('external_ref')}
      />
    </SettingsForm>
  );
}
