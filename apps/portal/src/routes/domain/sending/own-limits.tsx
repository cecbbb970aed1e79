import { NumberInput, Select } from '@mantine/core';
import { useChange } from '../../../api/change.js';
import { changeOutbound } from '../../../api/outbound.js';
import type { Outbound } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { SettingsForm, sayItIsSaved, useSettings } from '../../../parts/settings-form.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';

interface Values extends Record<string, unknown> {
  daily_limit: number | string;
  monthly_limit: number | string;
  outbound_tier: Outbound['outbound_tier'];
  outbound_enforcement: Outbound['outbound_enforcement'];
}

const TIERS = ['basic', 'standard', 'high', 'unlimited'];
const ENFORCEMENTS = ['enforce', 'monitor'] as const;

/** A partner sets limits below the operator's, the operator the tier and the rule as well. */
export function OwnLimits({ outbound }: { outbound: Outbound }) {
  const { name } = outbound;
  const isMaster = useView().caller.kind === 'master';
  const form = useSettings(valuesOf(outbound));
  const save = useChange(changeOutbound(name), {
    onDone: (saved) => {
      // An empty field becomes the limit that holds now.
      form.setInitialValues(valuesOf(saved));
      form.reset();
      sayItIsSaved();
    },
    onRefused: (error) => showProblem(form, error, 'daily_limit'),
  });
  return (
    <SettingsForm
      id="limits"
      title={t(isMaster ? 'sending.changeLimits' : 'sending.ownLimits')}
      form={form}
      isSaving={save.isPending}
      onSave={({ daily_limit, monthly_limit, outbound_tier, outbound_enforcement }) =>
        // Only what was changed: a limit that is sent is an own limit from then on.
        save.mutate({
          ...(form.isDirty('daily_limit') ? { daily_limit: numberOf(daily_limit) } : {}),
          ...(form.isDirty('monthly_limit') ? { monthly_limit: numberOf(monthly_limit) } : {}),
          ...(form.isDirty('outbound_tier') ? { outbound_tier } : {}),
          ...(form.isDirty('outbound_enforcement') ? { outbound_enforcement } : {}),
        })
      }
    >
      {isMaster && (
        <Select
          label={t('sending.tierLabel')}
          data={TIERS}
          allowDeselect={false}
          {...form.getInputProps('outbound_tier')}
        />
      )}
      {isMaster && (
        <Select
          label={t('sending.enforcement')}
          data={ENFORCEMENTS.map((value) => ({ value, label: t(`sending.${value}`) }))}
          allowDeselect={false}
          {...form.getInputProps('outbound_enforcement')}
        />
      )}
      <NumberInput
        label={t('sending.perDay')}
        description={t(isMaster ? 'sending.perDayOperator' : 'sending.perDayPartner')}
        min={0}
        allowDecimal={false}
        {...form.getInputProps('daily_limit')}
      />
      <NumberInput
        label={t('sending.perMonth')}
        min={0}
        allowDecimal={false}
        {...form.getInputProps('monthly_limit')}
      />
    </SettingsForm>
  );
}

function valuesOf({ daily_limit, monthly_limit, outbound_tier, outbound_enforcement }: Outbound): Values {
  return { daily_limit, monthly_limit, outbound_tier, outbound_enforcement };
}

/** An empty field is the API's null: the limit of the operator holds. */
function numberOf(value: number | string): number | null {
  return value === '' ? null : Number(value);
}
