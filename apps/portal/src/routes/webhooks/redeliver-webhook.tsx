import { Button, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useChange } from '../../api/change.js';
import { redeliverWebhook } from '../../api/webhooks.js';
import { showProblem } from '../../parts/form-problems.js';
import { countOf } from '../../parts/numbers.js';
import { WebhookTask } from './webhook-task.js';

interface Values extends Record<string, unknown> {
  after: number | string;
  until: number | string;
}

/** Delivers the events between two positions again. */
export function RedeliverWebhook({ id }: { id: number }) {
  return <WebhookTask label="Deliver again">{(close) => <RedeliverForm id={id} onDone={close} />}</WebhookTask>;
}

function RedeliverForm({ id, onDone }: { id: number; onDone: () => void }) {
  const form = useForm<Values>({ initialValues: { after: '', until: '' } });
  const redeliver = useChange(redeliverWebhook(id), {
    onDone: ({ events }) => {
      onDone();
      notifications.show({ message: `${countOf(events, 'event')} will be delivered again.` });
    },
    onRefused: (error) => showProblem(form, error, 'until'),
  });
  return (
    <form
      onSubmit={form.onSubmit(({ after, until }) =>
        // An empty field is no position: the API names it.
        redeliver.mutate({ after: after as number, until: until as number }),
      )}
    >
      <Stack>
        <Text size="sm">
          The attempts below show the position of each event. At most 10,000 events, one after the other.
        </Text>
        <NumberInput
          data-autofocus
          label="From after the position"
          description="0 is from the first event"
          allowDecimal={false}
          {...form.getInputProps('after')}
        />
        <NumberInput
          label="To the position"
          description="Its event is delivered too"
          allowDecimal={false}
          {...form.getInputProps('until')}
        />
        <Button type="submit" loading={redeliver.isPending}>
          Deliver
        </Button>
      </Stack>
    </form>
  );
}
