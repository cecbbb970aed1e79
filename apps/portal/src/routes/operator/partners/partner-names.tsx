import { TextInput } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changePartner } from '../../../api/partners.js';
import type { Partner } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { SettingsForm, sayItIsSaved, useSettings } from '../../../parts/settings-form.js';

/** What people and other systems call the partner. */
export function PartnerNames({ partner: { partner_ref, name, external_ref } }: { partner: Partner }) {
  const form = useSettings({ name: name ?? '', external_ref: external_ref ?? '' });
  const save = useChange(changePartner(partner_ref), {
    onDone: () => {
      form.resetDirty();
      sayItIsSaved();
    },
    onRefused: (error) => showProblem(form, error, 'name'),
  });
  return (
    <SettingsForm
      title="Names"
      form={form}
      isSaving={save.isPending}
      onSave={(values) =>
        save.mutate({ name: values.name.trim() || null, external_ref: values.external_ref.trim() || null })
      }
    >
      <TextInput label="Name" autoComplete="off" {...form.getInputProps('name')} />
      <TextInput
        label="Reference of another system"
        description="A customer number, for example"
        autoComplete="off"
        {...form.getInputProps('external_ref')}
      />
    </SettingsForm>
  );
}
