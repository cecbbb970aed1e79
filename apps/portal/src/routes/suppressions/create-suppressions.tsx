import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useChange } from '../../api/change.js';
import { createSuppressions, type Refused } from '../../api/suppressions.js';
import { type Dialog, DialogButton } from '../../parts/dialog-button.js';
import { showProblem } from '../../parts/form-problems.js';
import { t } from '../../texts/texts.js';

/** The most items of one request. */
const MOST = 500;

/** Adds addresses by hand, for one domain, or for all domains of the partner. */
export function CreateSuppressions({ domain, dialog }: { domain: string | undefined; dialog: Dialog }) {
  return (
    <DialogButton
      label={t('suppression.add')}
      title={t('suppression.addTitle')}
      isMain={domain === undefined}
      dialog={dialog}
    >
      {(close) => <AddressesForm domain={domain} onDone={close} />}
    </DialogButton>
  );
}

function AddressesForm({ domain, onDone }: { domain: string | undefined; onDone: () => void }) {
  const form = useForm({ initialValues: { items: '', note: '' } });
  const create = useChange(createSuppressions, {
    onDone: ({ created, refused }) => {
      if (created > 0) notifications.show({ message: t('suppression.added', { count: created }) });
      // What was refused stays in the field, to be corrected.
      form.setValues({ items: refused.map(({ address }) => address).join('\n') });
      if (refused.length === 0) onDone();
    },
    onRefused: (error) => showProblem(form, error, 'items'),
  });
  return (
    <form
      onSubmit={form.onSubmit(({ items, note }) =>
        create.mutate({ addresses: linesOf(items), domain: domain ?? null, note: note.trim() || null }),
      )}
    >
      <Stack>
        <Textarea
          data-autofocus
          label={t('suppression.addresses')}
          description={t('suppression.oneALine', { most: MOST })}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          {...form.getInputProps('items')}
        />
        <Refusals refused={create.data?.refused ?? []} />
        <TextInput
          label={t('suppression.note')}
          description={t('suppression.noteWhat')}
          {...form.getInputProps('note')}
        />
        <Button type="submit" loading={create.isPending} disabled={form.values.items.trim() === ''}>
          {t('suppression.add')}
        </Button>
      </Stack>
    </form>
  );
}

function Refusals({ refused }: { refused: readonly Refused[] }) {
  if (refused.length === 0) return null;
  return (
    <Stack gap={4} role="alert">
      {refused.map(({ address, why }) => (
        <Text key={address} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {address}: {why}
        </Text>
      ))}
    </Stack>
  );
}

function linesOf(text: string): string[] {
  const lines = text.split(/[\n,;]/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
