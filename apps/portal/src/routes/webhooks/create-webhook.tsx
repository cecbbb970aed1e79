import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/change.js';
import { createWebhook } from '../../api/webhooks.js';
import { type Dialog, DialogButton } from '../../parts/dialog-button.js';
import { showProblem } from '../../parts/form-problems.js';
import { ShownOnce } from '../../parts/shown-once.js';
import { NEW_WEBHOOK, WebhookFields, type WebhookValues, webhookBodyOf } from './webhook-fields.js';
import { webhookName } from './webhook-words.js';

/** Adds an endpoint. Its secret is shown in the dialog, this once. */
export function CreateWebhook({ dialog }: { dialog: Dialog }) {
  return (
    <DialogButton label="Add a webhook" title="Add a webhook" showsOnce dialog={dialog}>
      {() => <WebhookForm />}
    </DialogButton>
  );
}

function WebhookForm() {
  const form = useForm<WebhookValues>({ initialValues: NEW_WEBHOOK });
  const create = useChange(createWebhook, { onRefused: (error) => showProblem(form, error, 'url') });
  if (create.data !== undefined)
    return (
      <ShownOnce title={`The secret of ${webhookName(create.data)}`} secret={create.data.secret}>
        It signs what is posted. Give it to your server now: it is shown this once. The challenge follows within five
        seconds; if your server did not have the secret yet, confirm the webhook again.
      </ShownOnce>
    );
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(webhookBodyOf(values)))}>
      <Stack>
        <WebhookFields form={form} />
        <Button type="submit" loading={create.isPending}>
          Add the webhook
        </Button>
      </Stack>
    </form>
  );
}
