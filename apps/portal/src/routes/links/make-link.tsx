import { Button, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/change.js';
import { addressOf, makeLink } from '../../api/links.js';
import type { PortalLink } from '../../api/shapes.js';
import { type Dialog, DialogButton } from '../../parts/dialog-button.js';
import { showProblem } from '../../parts/form-problems.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { LINK_KINDS } from './link-kinds.js';

interface Values extends Record<string, unknown> {
  domain: string;
  scope: PortalLink['scope'];
  days: number | string;
  minutes: number | string;
}

const KINDS = Object.entries(LINK_KINDS).map(([value, { label }]) => ({ value, label }));

export function MakeLink({ dialog }: { dialog: Dialog }) {
  return (
    <DialogButton label="Create a link" title="Create a link" showsOnce dialog={dialog}>
      {() => <LinkForm />}
    </DialogButton>
  );
}

function LinkForm() {
  const form = useForm<Values>({ initialValues: { domain: '', scope: 'dns', days: 7, minutes: 15 } });
  const make = useChange(makeLink, { onRefused: (error) => showProblem(form, error, 'domain') });
  if (make.data !== undefined)
    return (
      <ShownOnce title={`The link to ${make.variables.domain}`} secret={addressOf(make.data)}>
        Whoever has the link gets in. Copy it now: it is shown this once.
      </ShownOnce>
    );
  const { scope } = form.values;
  return (
    <form
      onSubmit={form.onSubmit(({ domain, days, minutes }) =>
        make.mutate({
          domain: domain.trim(),
          scope,
          // An empty field is the API's usual value.
          ...(scope === 'dns' && days !== '' ? { days: days as number } : {}),
          ...(scope === 'manage' && minutes !== '' ? { minutes: minutes as number } : {}),
        }),
      )}
    >
      <Stack>
        <TextInput
          data-autofocus
          label="Domain"
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('domain')}
        />
        <Select label="The link lets somebody" data={KINDS} allowDeselect={false} {...form.getInputProps('scope')} />
        <Text size="sm">{LINK_KINDS[scope].note}</Text>
        {scope === 'dns' ? (
          <NumberInput
            key="days"
            label="Days"
            description="1 to 30"
            allowDecimal={false}
            {...form.getInputProps('days')}
          />
        ) : (
          <NumberInput
            key="minutes"
            label="Minutes until it must be used"
            description="1 to 60"
            allowDecimal={false}
            {...form.getInputProps('minutes')}
          />
        )}
        <Button type="submit" loading={make.isPending}>
          Create the link
        </Button>
      </Stack>
    </form>
  );
}
