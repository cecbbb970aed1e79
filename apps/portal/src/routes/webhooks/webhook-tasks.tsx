import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/change.js';
import type { Webhook } from '../../api/shapes.js';
import { changeWebhook, confirmWebhook, deleteWebhook, testWebhook } from '../../api/webhooks.js';
import { ConfirmByName } from '../../parts/confirm-by-name.js';
import { hasPage } from '../../parts/partner-link.js';
import { useView } from '../frame/view.js';
import { RedeliverWebhook } from './redeliver-webhook.js';
import { RotateWebhook } from './rotate-webhook.js';
import { outcomeText, webhookName } from './webhook-words.js';

/** What the owner of an endpoint does with it. */
export function WebhookTasks({ endpoint }: { endpoint: Webhook }) {
  const { id, status } = endpoint;
  return (
    <>
      <Group gap="xs">
        {status === 'unconfirmed' && <Confirm endpoint={endpoint} />}
        <Switch endpoint={endpoint} />
        <RotateWebhook endpoint={endpoint} />
        {status === 'active' && <RedeliverWebhook id={id} />}
      </Group>
      <SendTest id={id} />
    </>
  );
}

/** Posts a test. It changes nothing, so one click is enough. */
function SendTest({ id }: { id: number }) {
  const test = useChange(testWebhook(id));
  return (
    <Group gap="xs">
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
        Send a test
      </Button>
      <Text size="sm" role="status">
        {test.data !== undefined && `The test: ${outcomeText(test.data)}.`}
      </Text>
    </Group>
  );
}

function Confirm({ endpoint }: { endpoint: Webhook }) {
  const confirm = useChange(confirmWebhook(endpoint.id), {
    onDone: ({ status }) =>
      notifications.show(
        status === 'active'
          ? { message: 'The webhook is confirmed.' }
          : { color: 'red', message: 'The webhook is not confirmed: see the last attempt.' },
      ),
  });
  return (
    <Button loading={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
      Confirm again
    </Button>
  );
}

/** Nothing is lost by either, so one click is enough. */
function Switch({ endpoint: { id, status } }: { endpoint: Webhook }) {
  const change = useChange(changeWebhook(id));
  const active = status === 'disabled';
  return (
    <Button variant="default" loading={change.isPending} onClick={() => change.mutate({ active })}>
      {active ? 'Switch on' : 'Switch off'}
    </Button>
  );
}

/** Also for master, who may delete what a partner made. */
export function DeleteWebhook({ endpoint }: { endpoint: Webhook }) {
  const [isOpen, dialog] = useDisclosure(false);
  const navigate = useNavigate();
  const { caller } = useView();
  const { id, partner_ref: ref } = endpoint;
  const name = webhookName(endpoint);
  const leave = async () => {
    if (caller.kind === 'client' || ref === null) await navigate({ to: '/webhooks' });
    else if (!hasPage(ref)) await navigate({ to: '/operator/partners' });
    else await navigate({ to: '/operator/partners/$partner', params: { partner: ref } });
    notifications.show({ message: `The webhook ${name} is deleted.` });
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        Delete
      </Button>
      <ConfirmByName
        opened={isOpen}
        name={name}
        consequence="Nothing more is posted there, and what waits is not delivered. Its secret and its attempts are gone: this cannot be undone."
        onClose={dialog.close}
        change={deleteWebhook(id)}
        onDone={leave}
      />
    </>
  );
}
