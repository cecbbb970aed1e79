import { Button, Modal, NumberInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useChange } from '../../../api/change.js';
import { changeTier } from '../../../api/plans.js';
import type { Tier } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { SaveButton } from '../../../parts/save-button.js';

interface Values extends Record<string, unknown> {
  daily_limit: number | string;
  monthly_limit: number | string;
}

export function ChangeTier({ tier }: { tier: Tier }) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Change ${tier.tier}`} onClick={dialog.open}>
        Change
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={`The tier ${tier.tier}`}>
        <TierForm tier={tier} onDone={dialog.close} />
      </Modal>
    </>
  );
}

function TierForm({ tier: { tier, daily_limit, monthly_limit }, onDone }: { tier: Tier; onDone: () => void }) {
  const form = useForm<Values>({ initialValues: { daily_limit, monthly_limit } });
  const save = useChange(changeTier(tier), { onDone, onRefused: (error) => showProblem(form, error, 'daily_limit') });
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        // An empty field is not a limit of zero: the API names the field.
        save.mutate({ daily_limit: values.daily_limit as number, monthly_limit: values.monthly_limit as number }),
      )}
    >
      <Stack>
        <NumberInput
          data-autofocus
          label="Recipients a day"
          description="Of each domain of the tier; 0 is unlimited"
          allowDecimal={false}
          {...form.getInputProps('daily_limit')}
        />
        <NumberInput label="Recipients a month" allowDecimal={false} {...form.getInputProps('monthly_limit')} />
        <SaveButton isChanged={form.isDirty()} isSaving={save.isPending} isMain />
      </Stack>
    </form>
  );
}
