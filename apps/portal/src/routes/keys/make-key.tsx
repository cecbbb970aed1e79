import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { makeOwnKey } from '../../api/api-keys.js';
import { useChange } from '../../api/change.js';
import { DialogButton } from '../../parts/dialog-button.js';
import { showProblem } from '../../parts/form-problems.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { KeyFields, type KeyValues, keyBodyOf, NEW_KEY } from './key-fields.js';
import { keyName } from './key-name.js';

/** Makes a key below one's own. */
export function MakeKey() {
  return (
    <DialogButton label="Make a key" title="Make a key" showsOnce>
      {() => <KeyForm />}
    </DialogButton>
  );
}

function KeyForm() {
  const form = useForm<KeyValues>({ initialValues: NEW_KEY });
  const make = useChange(makeOwnKey, { onRefused: (error) => showProblem(form, error, 'name') });
  if (make.data !== undefined)
    return <ShownOnce title={`The token of ${keyName(make.data)}`} secret={make.data.token} />;
  return (
    <form onSubmit={form.onSubmit((values) => make.mutate(keyBodyOf(values)))}>
      <Stack>
        <KeyFields form={form} />
        <Button type="submit" loading={make.isPending}>
          Make the key
        </Button>
      </Stack>
    </form>
  );
}
