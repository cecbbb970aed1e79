import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { changeAlias } from '../../../api/aliases.js';
import { useChange } from '../../../api/change.js';
import type { Alias } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { t } from '../../../texts/texts.js';
import { addressIn } from '../address-in.js';

/** Changes where an alias delivers to. */
export function ChangeAlias({ domain, alias }: { domain: string; alias: Alias }) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('alias.changeWhere', { address: alias.address })}
        onClick={dialog.open}
      >
        {t('alias.change')}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={alias.address}>
        <DestinationForm domain={domain} alias={alias} onDone={dialog.close} />
      </Modal>
    </>
  );
}

function DestinationForm({ domain, alias, onDone }: { domain: string; alias: Alias; onDone: () => void }) {
  const form = useForm({ initialValues: { destination: alias.destination ?? '' } });
  const change = useChange(changeAlias(domain, alias.id), {
    onDone,
    onRefused: (error) => showProblem(form, error, 'destination'),
  });
  return (
    <form onSubmit={form.onSubmit(({ destination }) => change.mutate(addressIn(domain, destination)))}>
      <Stack>
        <TextInput
          data-autofocus
          label={t('alias.deliversTo')}
          description={t('alias.destinationWhat', { domain })}
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('destination')}
        />
        <Button type="submit" loading={change.isPending}>
          {t('alias.change')}
        </Button>
      </Stack>
    </form>
  );
}
