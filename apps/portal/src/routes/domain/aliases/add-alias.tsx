import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { addAlias } from '../../../api/aliases.js';
import { useChange } from '../../../api/change.js';
import { codeOf } from '../../../api/problem.js';
import { type Dialog, DialogButton } from '../../../parts/dialog-button.js';
import { showProblem } from '../../../parts/form-problems.js';
import { t } from '../../../texts/texts.js';
import { addressIn } from '../address-in.js';

interface Values extends Record<string, unknown> {
  address: string;
  destination: string;
  isCatchAll: boolean;
}

export function AddAlias({ domain, dialog }: { domain: string; dialog: Dialog }) {
  return (
    <DialogButton label={t('alias.add')} title={t('alias.addTitle')} dialog={dialog}>
      {(close) => <AliasForm domain={domain} onDone={close} />}
    </DialogButton>
  );
}

function AliasForm({ domain, onDone }: { domain: string; onDone: () => void }) {
  const form = useForm<Values>({ initialValues: { address: '', destination: '', isCatchAll: false } });
  const add = useChange(addAlias(domain), {
    onDone,
    onRefused: (error) => showProblem(form, error, codeOf(error) === 'mailbox_not_found' ? 'destination' : 'address'),
  });
  return (
    <form
      onSubmit={form.onSubmit(({ address, destination, isCatchAll }) =>
        add.mutate({
          address: isCatchAll ? `@${domain}` : addressIn(domain, address),
          destination: addressIn(domain, destination),
        }),
      )}
    >
      <Stack>
        <TextInput
          data-autofocus
          label={t('alias.address')}
          description={t('alias.partIsEnough', { domain })}
          disabled={form.values.isCatchAll}
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('address')}
        />
        <Checkbox
          label={t('alias.catchAll')}
          description={t('alias.catchAllWhat')}
          {...form.getInputProps('isCatchAll', { type: 'checkbox' })}
        />
        <TextInput
          label={t('alias.deliversTo')}
          description={t('alias.destinationWhat', { domain })}
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('destination')}
        />
        <Button type="submit" loading={add.isPending}>
          {t('alias.add')}
        </Button>
      </Stack>
    </form>
  );
}
