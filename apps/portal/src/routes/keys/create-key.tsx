import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createKey } from '../../api/api-keys.js';
import { useChange } from '../../api/change.js';
import { type Dialog, DialogButton } from '../../parts/dialog-button.js';
import { showProblem } from '../../parts/form-problems.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { KeyFields, type KeyValues, keyBodyOf, NEW_KEY } from './key-fields.js';
import { LimitFields, type LimitValues, limitsOf } from './limit-fields.js';
import { newToken } from './new-token.js';

interface Values extends KeyValues, LimitValues {
  partner_ref: string;
}

/** Creates the key of a partner, and with it the partner. The page makes the token. */
export function CreateKey({ partnerRef = '', dialog }: { partnerRef?: string; dialog: Dialog }) {
  return (
    <DialogButton label="Create a key" title="Create a key" showsOnce dialog={dialog}>
      {() => <KeyForm partnerRef={partnerRef} />}
    </DialogButton>
  );
}

function KeyForm({ partnerRef }: { partnerRef: string }) {
  const form = useForm<Values>({
    initialValues: {
      ...NEW_KEY,
      partner_ref: partnerRef,
      domains_allowed: 10,
      mailboxes_per_domain: 10,
      aliases_per_mailbox: 5,
    },
  });
  const create = useChange(createKey, { onRefused: (error) => showProblem(form, error, 'partner_ref') });
  if (create.data !== undefined)
    return <ShownOnce title={`The token for ${create.data.partner_ref}`} secret={create.data.token} />;
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        create.mutate({
          ...keyBodyOf(values),
          ...limitsOf(values),
          partner_ref: values.partner_ref.trim(),
          token: newToken(),
        }),
      )}
    >
      <Stack>
        <TextInput
          label="Partner"
          description="It exists as soon as a key names it"
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('partner_ref')}
        />
        <KeyFields form={form} />
        <LimitFields form={form} />
        <Button type="submit" loading={create.isPending}>
          Create the key
        </Button>
      </Stack>
    </form>
  );
}
