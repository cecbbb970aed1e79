import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { createOwnKey } from '../../api/api-keys.js';
import { useChange } from '../../api/change.js';
import { type Dialog, DialogButton } from '../../parts/dialog-button.js';
import { showProblem } from '../../parts/form-problems.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { KeyFields, type KeyValues, keyBodyOf, NEW_KEY } from './key-fields.js';
import { keyName } from './key-name.js';

/** Creates a key below one's own. */
export function CreateOwnKey({ dialog }: { dialog: Dialog }) {
  return (
    <DialogButton label="Create a key" title="Create a key" showsOnce dialog={dialog}>
      {() => <KeyForm />}
    </DialogButton>
  );
}

function KeyForm() {
  const form = useForm<KeyValues>({ initialValues: NEW_KEY });
  const create = useChange(createOwnKey, { onRefused: (error) => showProblem(form, error, 'name') });
  if (create.data !== undefined)
    return <ShownOnce title={`The token of ${keyName(create.data)}`} secret={create.data.token} />;
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(keyBodyOf(values)))}>
      <Stack>
        <KeyFields form={form} />
        <Button type="submit" loading={create.isPending}>
          Create the key
        </Button>
      </Stack>
    </form>
  );
}
