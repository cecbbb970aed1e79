import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../../api/change.js';
import { api } from '../../../api/client.js';
import type { Partner } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { SettingsForm, sayItIsSaved } from '../../../parts/settings-form.js';

interface Values extends Record<string, string> {
  name: string;
  external_ref: string;
}

/** What people and other systems call the partner. */
export function PartnerNames({ partner: { partner_ref, name, external_ref } }: { partner: Partner }) {
  const form = useForm<Values>({ initialValues: { name: name ?? '', external_ref: external_ref ?? '' } });
  const save = useChange({
    run: async (values: Values) => {
      await api.PUT('/partners/{partner_ref}', {
        params: { path: { partner_ref } },
        body: { name: values.name.trim() || null, external_ref: values.external_ref.trim() || null },
      });
    },
    touches: () => [['partners']],
    onDone: () => {
      form.resetDirty();
      sayItIsSaved();
    },
    onRefused: (error) => showProblem(form, error, 'name'),
  });
  return (
    <SettingsForm title="Names" form={form} save={save}>
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
