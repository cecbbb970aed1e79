import { Button, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { KeyRing } from '../../api/api-keys.js';
import { useChange } from '../../api/change.js';
import type { ApiKey } from '../../api/shapes.js';
import { showProblem } from '../../parts/form-problems.js';
import { KeyFields, type KeyValues, keyBodyOf, keyValuesOf } from './key-fields.js';
import { LimitFields, type LimitValues, limitsOf } from './limit-fields.js';

interface Values extends KeyValues, LimitValues {
  active: boolean;
}

interface Change {
  apiKey: ApiKey;
  ring: KeyRing;
  isOperator: boolean;
  onDone: () => void;
}

/** Changes a key. A partner can only make it narrower, which the API says beside the field. */
export function ChangeKey({ apiKey, ring, isOperator, onDone }: Change) {
  const { domains_allowed, mailboxes_per_domain, aliases_per_mailbox, active, made_by } = apiKey;
  const form = useForm<Values>({
    initialValues: { ...keyValuesOf(apiKey), domains_allowed, mailboxes_per_domain, aliases_per_mailbox, active },
  });
  const save = useChange(ring.change(apiKey.id), { onDone, onRefused: (error) => showProblem(form, error, 'name') });
  const submit = form.onSubmit((values) => {
    const body = { ...keyBodyOf(values), ...limitsOf(values), active: values.active };
    save.mutate(Object.fromEntries(Object.entries(body).filter(([field]) => form.isDirty(field))));
  });
  // The limits of a key that a key created are those of the operator's key.
  const hasLimits = isOperator && made_by === null;
  return (
    <form onSubmit={submit}>
      <Stack>
        {!isOperator && (
          <Text size="sm">Here you can only take rights from the key. Only the operator can give them back.</Text>
        )}
        <KeyFields form={form} />
        {hasLimits && <LimitFields form={form} />}
        <Switch
          label="Active"
          description={
            isOperator
              ? 'When off, the key and those that it created are refused'
              : 'Only the operator can switch it on again'
          }
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
        <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
          Save
        </Button>
      </Stack>
    </form>
  );
}
