import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { changeAlias } from '../../../api/aliases.js';
import { useChange } from '../../../api/change.js';
import type { Alias } from '../../../api/shapes.js';
import { showProblem } from '../../../parts/form-problems.js';
import { t } from '../../../texts/texts.js';
import { addressIn } from '../address-in.js';

interface ChangeAliasProps {
  domain: string;
  alias: Alias;
  onDone: () => void;
}

/** Changes where an alias delivers to. */
export function ChangeAlias({ domain, alias, onDone }: ChangeAliasProps) {
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
