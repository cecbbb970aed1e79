import { NumberInput, Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../../api/change.js';
import { api } from '../../../api/client.js';
import type { Domain } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { SettingsForm, sayItIsSaved } from '../../../parts/settings-form.js';

const PLANS = ['starter', 'business', 'enterprise'];
const WILDCARDS = [
  { value: 'none', label: 'No subdomain links to it' },
  { value: 'direct', label: 'Subdomains one label below link to it' },
  { value: 'any', label: 'All subdomains link to it' },
];

interface Values extends Record<string, unknown> {
  plan: string | null;
  retention_days: number | string;
  transfer_monthly_mb: number | string;
  wildcard_mode: string | null;
}

/** The master's settings of a domain. Each changed field is one request, the plan first: it sets the others. */
export function OperatorSettings({ domain }: { domain: Domain }) {
  const { name } = domain;
  const form = useForm<Values>({
    initialValues: {
      plan: domain.plan,
      retention_days: domain.retention_days,
      transfer_monthly_mb: domain.transfer_monthly_mb,
      wildcard_mode: domain.wildcard_mode,
    },
  });
  const params = { path: { domain_name: name } };
  const save = useChange({
    run: async ({ plan, retention_days, transfer_monthly_mb, wildcard_mode }: Values) => {
      if (form.isDirty('plan') && plan !== null)
        await api.PUT('/domains/{domain_name}/plan', { params, body: { plan: plan as 'starter' } });
      if (form.isDirty('retention_days'))
        await api.PUT('/domains/{domain_name}/retention', {
          params,
          body: { retention_days: retention_days as number },
        });
      if (form.isDirty('transfer_monthly_mb'))
        await api.PUT('/domains/{domain_name}/transfer', {
          params,
          body: { transfer_monthly_mb: transfer_monthly_mb as number },
        });
      if (form.isDirty('wildcard_mode'))
        await api.PUT('/domains/{domain_name}/parent', { params, body: { wildcard_mode: wildcard_mode as 'none' } });
    },
    touches: () => [['domain', name], ['domains']],
    onDone: () => {
      form.resetDirty();
      sayItIsSaved();
    },
    onRefused: (error) => showProblem(form, error, 'plan'),
  });
  return (
    <SettingsForm title="Operator’s settings" form={form} save={save}>
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
      <Select label="Wildcard" data={WILDCARDS} allowDeselect={false} {...form.getInputProps('wildcard_mode')} />
      {domain.parent !== null && <Text size="sm">Linked to {domain.parent}.</Text>}
    </SettingsForm>
  );
}
