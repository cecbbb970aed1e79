import { NumberInput, Select, Text } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changeOperatorSettings } from '../../../api/domains.js';
import type { Domain } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { ChangedMeanwhile, useRevisedForm } from '../../../parts/revised-form.js';
import { SettingsForm, sayItIsSaved } from '../../../parts/settings-form.js';
import { useView } from '../../frame/view.js';

const PLANS = ['starter', 'business', 'enterprise'];
const WILDCARDS = [
  { value: 'none', label: 'No subdomain links to it' },
  { value: 'direct', label: 'Subdomains one label below link to it' },
  { value: 'any', label: 'All subdomains link to it' },
];

const LABELS = {
  plan: 'Plan',
  retention_days: 'Days that mail is kept',
  transfer_monthly_mb: 'Transfer a month',
  wildcard_mode: 'Wildcard',
};

/** Not an interface: an interface below `Record` would have every string as a key. */
type Values = {
  plan: Domain['plan'];
  retention_days: number | string;
  transfer_monthly_mb: number | string;
  wildcard_mode: Domain['wildcard_mode'];
};

/** The operator's settings of a domain. */
export function OperatorSettings({ domain }: { domain: Domain }) {
  const { name } = domain;
  const { may } = useView();
  const { plan, retention_days, transfer_monthly_mb, wildcard_mode } = domain;
  const revised = useRevisedForm<Values>({ plan, retention_days, transfer_monthly_mb, wildcard_mode }, domain.revision);
  const { form, revision } = revised;
  const save = useChange(changeOperatorSettings(name), {
    onDone: () => {
      revised.noteSaved();
      sayItIsSaved();
    },
    onRefused: (error) => revised.isRefusedByOther(error) || showProblem(form, error, 'plan'),
  });
  const send = (typed: Values) => save.mutate({ body: changedOf(typed, form.isDirty), revision });
  return (
    <SettingsForm title="Operator’s settings" form={form} isSaving={save.isPending} onSave={send}>
      <ChangedMeanwhile
        revised={revised}
        labels={LABELS}
        show={(field, value) => (field === 'wildcard_mode' ? wildcardText(value) : undefined)}
        onRepeat={() => send(form.getValues())}
      />
      <Select
        label={LABELS.plan}
        description="Sets retention, transfer and the storage quota of mailboxes"
        placeholder="None"
        data={PLANS}
        allowDeselect={false}
        {...form.getInputProps('plan')}
      />
      <NumberInput
        label={LABELS.retention_days}
        description="0 keeps it forever. A lower value takes effect after a day."
        min={0}
        allowDecimal={false}
        {...form.getInputProps('retention_days')}
      />
      <NumberInput
        label={LABELS.transfer_monthly_mb}
        description="Megabytes; 0 is unlimited"
        min={0}
        allowDecimal={false}
        {...form.getInputProps('transfer_monthly_mb')}
      />
      {may('putDomainsDomainNameParent') && (
        <Select
          label={LABELS.wildcard_mode}
          data={WILDCARDS}
          allowDeselect={false}
          {...form.getInputProps('wildcard_mode')}
        />
      )}
      {domain.parent !== null && <Text size="sm">Linked to {domain.parent}.</Text>}
    </SettingsForm>
  );
}

function changedOf(typed: Values, isDirty: (field: keyof Values) => boolean) {
  const { plan, retention_days, transfer_monthly_mb, wildcard_mode } = typed;
  return {
    ...(isDirty('plan') && plan !== null ? { plan } : {}),
    ...(isDirty('retention_days') ? { retention_days: retention_days as number } : {}),
    ...(isDirty('transfer_monthly_mb') ? { transfer_monthly_mb: transfer_monthly_mb as number } : {}),
    ...(isDirty('wildcard_mode') && wildcard_mode !== null ? { wildcard_mode } : {}),
  };
}

function wildcardText(mode: unknown): string | undefined {
  return WILDCARDS.find(({ value }) => value === mode)?.label;
}
