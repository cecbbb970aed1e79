import { NumberInput, Select } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changeOutbound } from '../../../api/outbound.js';
import type { Outbound } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { ChangedMeanwhile, useRevisedForm } from '../../../parts/revised-form.js';
import { SettingsForm, sayItIsSaved } from '../../../parts/settings-form.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';

/** Not an interface: an interface below `Record` would have every string as a key. */
type Values = {
  daily_limit: number | string;
  monthly_limit: number | string;
  outbound_tier: Outbound['outbound_tier'];
  outbound_enforcement: Outbound['outbound_enforcement'];
};

const TIERS = ['basic', 'standard', 'high', 'unlimited'];
const ENFORCEMENTS = ['enforce', 'monitor'] as const;

/** A partner sets limits below the operator's, the operator the tier and the rule as well. */
export function OwnLimits({ outbound }: { outbound: Outbound }) {
  const { name } = outbound;
  const isMaster = useView().caller.kind === 'master';
  const revised = useRevisedForm(valuesOf(outbound), outbound.revision);
  const { form, revision } = revised;
  const save = useChange(changeOutbound(name), {
    onDone: (saved) => {
      // An empty field becomes the limit that holds now.
      form.setInitialValues(valuesOf(saved));
      form.reset();
      revised.noteSaved();
      sayItIsSaved();
    },
    onRefused: (error) => revised.isRefusedByOther(error) || showProblem(form, error, 'daily_limit'),
  });
  const send = (typed: Values) => save.mutate({ body: changedOf(typed, form.isDirty), revision });
  const labels = {
    daily_limit: t('sending.perDay'),
    monthly_limit: t('sending.perMonth'),
    outbound_tier: t('sending.tierLabel'),
    outbound_enforcement: t('sending.enforcement'),
  };
  return (
    <SettingsForm
      id="limits"
      title={t(isMaster ? 'sending.changeLimits' : 'sending.ownLimits')}
      form={form}
      isSaving={save.isPending}
      onSave={send}
    >
      <ChangedMeanwhile
        revised={revised}
        labels={labels}
        show={(field, value) => (field === 'outbound_enforcement' ? enforcementText(value) : undefined)}
        onRepeat={() => send(form.getValues())}
      />
      {isMaster && (
        <Select
          label={labels.outbound_tier}
          data={TIERS}
          allowDeselect={false}
          {...form.getInputProps('outbound_tier')}
        />
      )}
      {isMaster && (
        <Select
          label={labels.outbound_enforcement}
          data={ENFORCEMENTS.map((value) => ({ value, label: t(`sending.${value}`) }))}
          allowDeselect={false}
          {...form.getInputProps('outbound_enforcement')}
        />
      )}
      <NumberInput
        label={labels.daily_limit}
        description={t(isMaster ? 'sending.perDayOperator' : 'sending.perDayPartner')}
        min={0}
        allowDecimal={false}
        {...form.getInputProps('daily_limit')}
      />
      <NumberInput label={labels.monthly_limit} min={0} allowDecimal={false} {...form.getInputProps('monthly_limit')} />
    </SettingsForm>
  );
}

function valuesOf({ daily_limit, monthly_limit, outbound_tier, outbound_enforcement }: Outbound): Values {
  return { daily_limit, monthly_limit, outbound_tier, outbound_enforcement };
}

/** Only what was changed: a limit that is sent is an own limit from then on. */
function changedOf(typed: Values, isDirty: (field: keyof Values) => boolean) {
  const { daily_limit, monthly_limit, outbound_tier, outbound_enforcement } = typed;
  return {
    ...(isDirty('daily_limit') ? { daily_limit: numberOf(daily_limit) } : {}),
    ...(isDirty('monthly_limit') ? { monthly_limit: numberOf(monthly_limit) } : {}),
    ...(isDirty('outbound_tier') ? { outbound_tier } : {}),
    ...(isDirty('outbound_enforcement') ? { outbound_enforcement } : {}),
  };
}

function enforcementText(value: unknown): string | undefined {
  const known = ENFORCEMENTS.find((each) => each === value);
  return known === undefined ? undefined : t(`sending.${known}`);
}

/** An empty field is the API's null: the limit of the operator holds. */
function numberOf(value: number | string): number | null {
  return value === '' ? null : Number(value);
}
