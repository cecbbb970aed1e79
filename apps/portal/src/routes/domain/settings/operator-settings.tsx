import { NumberInput, Select, Text } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changeOperatorSettings } from '../../../api/domains.js';
import type { Domain } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { SettingsForm, sayItIsSaved, useSettings } from '../../../parts/settings-form.js';
import { useView } from '../../frame/view.js';

const PLANS = ['starter', 'business', 'enterprise'];
const WILDCARDS = [
  { value: 'none', label: 'No subdomain links to it' },
  { value: 'direct', label: 'Subdomains one label below link to it' },
  { value: 'any', label: 'All subdomains link to it' },
];

interface Values extends Record<string, unknown> {
  plan: Domain['plan'];
  retention_days: number | string;
  transfer_monthly_mb: number | string;
  wildcard_mode: Domain['wildcard_mode'];
}

/** The operator's settings of a domain. */
export function OperatorSettings({ domain }: { domain: Domain }) {
  const { name } = domain;
  const { may } = useView();
  const form = useSettings<Values>({
    plan: domain.plan,
    retention_days: domain.retention_days,
    transfer_monthly_mb: domain.transfer_monthly_mb,
    wildcard_mode: domain.wildcard_mode,
  });
  const save = useChange(changeOperatorSettings(name), {
    onDone: () => {
      form.resetDirty();
      sayItIsSaved();
    },
    onRefused: (error) => showProblem(form, error, 'plan'),
  });
  return (
    <SettingsForm
      title="Operator’s settings"
      form={form}
      isSaving={save.isPending}
      onSave={({ plan, retention_days, transfer_monthly_mb, wildcard_mode }) =>
        save.mutate({
          ...(form.isDirty('plan') && plan !== null ? { plan } : {}),
          ...(form.isDirty('retention_days') ? { retention_days: retention_days as number } : {}),
          ...(form.isDirty('transfer_monthly_mb') ? { transfer_monthly_mb: transfer_monthly_mb as number } : {}),
          ...(form.isDirty('wildcard_mode') && wildcard_mode !== null ? { wildcard_mode } : {}),
        })
      }
    >
      <Select
        label="Plan"
        description="Sets retention, transfer and the storage quota of mailboxes"
        placeholder="None"
        data={PLANS}
        allowDeselect={false}
        {...form.getInputProps('plan')}
      />
      <NumberInput
        label="Days that mail is kept"
        description="0 keeps it forever. A lower value takes effect after a day."
        min={0}
        allowDecimal={false}
        {...form.getInputProps('retention_days')}
      />
      <NumberInput
        label="Transfer a month"
        description="Megabytes; 0 is unlimited"
        min={0}
        allowDecimal={false}
        {...form.getInputProps('transfer_monthly_mb')}
      />
      {may('putDomainsDomainNameParent') && (
        <Select label="Wildcard" data={WILDCARDS} allowDeselect={false} {...form.getInputProps('wildcard_mode')} />
      )}
      {domain.parent !== null && <Text size="sm">Linked to {domain.parent}.</Text>}
    </SettingsForm>
  );
}
