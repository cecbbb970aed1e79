import { Text } from '@mantine/core';
import { isOperator } from '../../api/caller.js';
import { BeginButton, useDialog } from '../../parts/dialog-button.js';
import { Page } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { useView } from '../frame/view.js';
import { CreateWebhook } from './create-webhook.js';
import { WebhookList } from './webhook-list.js';

/** The addresses that events are pushed to: a partner's own; for operators theirs, or those of the one that is seen. */
export function WebhooksPage() {
  const { caller, partnerRef, may } = useView();
  const adding = useDialog();
  const isOfOperators = isOperator(caller) && partnerRef === undefined;
  return (
    <Page title="Webhooks" actions={may('postWebhookEndpoints') && <CreateWebhook dialog={adding} />}>
      <Text size="sm">
        {isOfOperators
          ? 'The events of all partners are posted to these addresses. Those of a partner are on its own page.'
          : 'The events that the screen Events shows are posted to these addresses.'}{' '}
        Each body is signed by the form of Standard Webhooks.
      </Text>
      <WebhookList
        partnerRef={partnerRef}
        empty={
          <Empty
            title="No webhooks"
            action={may('postWebhookEndpoints') && <BeginButton label="Add the first webhook" dialog={adding} />}
          >
            A webhook tells a program of yours what happens, as it happens. There may be five.
          </Empty>
        }
      />
    </Page>
  );
}
