import { Stack, Switch, Text } from '@mantine/core';
import type { KeyRing } from '../../api/api-keys.js';
import { useChange } from '../../api/change.js';
import type { ApiKey } from '../../api/shapes.js';
import { showProblem } from '../../parts/form-problems.js';
import { ChangedMeanwhile, useRevisedForm } from '../../parts/revised-form.js';
import { SaveButton } from '../../parts/save-button.js';
import { KeyFields, type KeyValues, keyBodyOf, keyValuesOf, scopeText } from './key-fields.js';
import { LimitFields, type LimitValues, limitsOf } from './limit-fields.js';

const LABELS = {
  name: 'Name',
  scope: 'The key may',
  domains: 'Only these domains',
  expires_at: 'Valid until the end of',
  domains_allowed: 'Domains',
  mailboxes_per_domain: 'Mailboxes of each domain',
  aliases_per_mailbox: 'Aliases to each mailbox',
  active: 'Active',
};

/** Not an interface: an interface below `Record` would have every string as a key. */
type Values = Pick<KeyValues, 'name' | 'scope' | 'domains' | 'expires_at'> & LimitValues & { active: boolean };

interface Change {
  apiKey: ApiKey;
  ring: KeyRing;
  isOperator: boolean;
  onDone: () => void;
}

/** Changes a key. A partner can only make it narrower, which the API says beside the field. */
export function ChangeKey({ apiKey, ring, isOperator, onDone }: Change) {
  const { domains_allowed, mailboxes_per_domain, aliases_per_mailbox, active, made_by } = apiKey;
  const limits = { domains_allowed, mailboxes_per_domain, aliases_per_mailbox };
  const revised = useRevisedForm<Values>({ ...keyValuesOf(apiKey), ...limits, active }, apiKey.revision);
  const { form, revision } = revised;
  const save = useChange(ring.change(apiKey.id), {
    onDone,
    onRefused: (error) => revised.isRefusedByOther(error) || showProblem(form, error, 'name'),
  });
  const send = (values: Values) => {
    const body = { ...keyBodyOf(values), ...limitsOf(values), active: values.active };
    const changed = Object.entries(body).filter(([field]) => form.isDirty(field as keyof Values));
    save.mutate({ body: Object.fromEntries(changed), revision });
  };
  // The limits of a key that a key created are those of the operator's key.
  const hasLimits = isOperator && made_by === null;
  return (
    <form onSubmit={form.onSubmit(send)}>
      <Stack>
        <ChangedMeanwhile
          revised={revised}
          labels={LABELS}
          show={(field, value) => (field === 'scope' ? scopeText(value) : undefined)}
          onRepeat={() => send(form.getValues())}
        />
        {!isOperator && (
          <Text size="sm">Here you can only take rights from the key. Only the operator can give them back.</Text>
        )}
        <KeyFields form={form} />
        {hasLimits && <LimitFields form={form} />}
        <Switch
          label={LABELS.active}
          description={
            isOperator
              ? 'When off, the key and those that it created are refused'
              : 'Only the operator can switch it on again'
          }
          {...form.getInputProps('active', { type: 'checkbox' })}
        />
        <SaveButton isChanged={form.isDirty()} isSaving={save.isPending} isMain />
      </Stack>
    </form>
  );
}
