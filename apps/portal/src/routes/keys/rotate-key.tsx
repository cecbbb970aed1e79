import { Button, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { KeyRing } from '../../api/api-keys.js';
import { useChange } from '../../api/change.js';
import type { ApiKey } from '../../api/shapes.js';
import { showProblem } from '../../parts/form-problems.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { keyName } from './key-name.js';

const USUAL_HOURS = 24;

/** Replaces a key by one with a new token. Both are valid for a while, so that programs can change over. */
export function RotateKey({ apiKey, ring }: { apiKey: ApiKey; ring: KeyRing }) {
  const form = useForm<{ overlap_hours: number | string }>({ initialValues: { overlap_hours: USUAL_HOURS } });
  const rotate = useChange(ring.rotate(apiKey.id), { onRefused: (error) => showProblem(form, error, 'overlap_hours') });
  if (rotate.data !== undefined)
    return <ShownOnce title={`The new token of ${keyName(apiKey)}`} secret={rotate.data.token} />;
  return (
    <form onSubmit={form.onSubmit(({ overlap_hours }) => rotate.mutate(overlap_hours as number))}>
      <Stack>
        <Text size="sm">
          The successor has a new token, and the same name, limits and domains. What the old key created belongs to the
          successor.
        </Text>
        <NumberInput
          data-autofocus
          label="Hours that the old token stays valid"
          description="0 to 720"
          allowDecimal={false}
          {...form.getInputProps('overlap_hours')}
        />
        <Button type="submit" loading={rotate.isPending}>
          Rotate
        </Button>
      </Stack>
    </form>
  );
}
