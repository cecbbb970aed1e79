import { Button, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/change.js';
import type { Webhook } from '../../api/shapes.js';
import { rotateWebhook } from '../../api/webhooks.js';
import { showProblem } from '../../parts/form-problems.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { WebhookTask } from './webhook-task.js';
import { webhookName } from './webhook-words.js';

const USUAL_HOURS = 24;

/** Replaces the secret. Both sign for a while, so that the server can change over. */
export function RotateWebhook({ endpoint }: { endpoint: Webhook }) {
  return <WebhookTask label="Replace the secret">{() => <RotateForm endpoint={endpoint} />}</WebhookTask>;
}

function RotateForm({ endpoint }: { endpoint: Webhook }) {
  const form = useForm<{ overlap_hours: number | string }>({ initialValues: { overlap_hours: USUAL_HOURS } });
  const rotate = useChange(rotateWebhook(endpoint.id), {
    onRefused: (error) => showProblem(form, error, 'overlap_hours'),
  });
  if (rotate.data !== undefined)
    return <ShownOnce title={`The new secret of ${webhookName(endpoint)}`} secret={rotate.data.secret} />;
  return (
    <form onSubmit={form.onSubmit(({ overlap_hours }) => rotate.mutate(overlap_hours as number))}>
      <Stack>
        <Text size="sm">The new secret signs at once. The old one signs too, for as long as you say here.</Text>
        <NumberInput
          data-autofocus
          label="Hours that the old secret signs too"
          description="0 to 72"
          allowDecimal={false}
          {...form.getInputProps('overlap_hours')}
        />
        <Button type="submit" loading={rotate.isPending}>
          Replace
        </Button>
      </Stack>
    </form>
  );
}
