import { Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChange } from '../../api/change.js';
import type { Webhook } from '../../api/shapes.js';
import { changeWebhook, webhookQuery } from '../../api/webhooks.js';
import { showProblem } from '../../parts/form-problems.js';
import { TextLink } from '../../parts/links.js';
import { Page, Section } from '../../parts/page.js';
import { PartnerLink } from '../../parts/partner-link.js';
import { Queried } from '../../parts/queried.js';
import { SettingsForm, sayItIsSaved, useSettings } from '../../parts/settings-form.js';
import { StatusMark } from '../../parts/status-mark.js';
import { Time } from '../../parts/time.js';
import { useView } from '../frame/view.js';
import { WebhookAttempts } from './webhook-attempts.js';
import { WebhookFields, webhookBodyOf, webhookValuesOf } from './webhook-fields.js';
import { DeleteWebhook, WebhookTasks } from './webhook-tasks.js';
import { webhookStatus, whyNothing } from './webhook-words.js';

/** One endpoint: whether events arrive, its settings, and what is done with it. */
export function WebhookPage() {
  const { webhook } = useParams({ from: '/in/webhooks/$webhook' });
  const id = Number(webhook);
  const query = useQuery(webhookQuery(id));
  const { may } = useView();
  const actions = query.data !== undefined && may('deleteWebhookEndpointsEndpointId') && (
    <DeleteWebhook endpoint={query.data} />
  );
  return (
    <Page title={`Webhook ${webhook}`} actions={actions}>
      <AllWebhooks of={query.data?.partner_ref ?? null} />
      <Queried query={query}>{(endpoint) => <Parts key={endpoint.id} endpoint={endpoint} />}</Queried>
    </Page>
  );
}

/** Operators come from the page of the partner. */
function AllWebhooks({ of }: { of: string | null }) {
  const { caller, partnerRef } = useView();
  if (caller.kind !== 'client' && partnerRef === undefined && of !== null)
    return (
      <PartnerLink partner={of} size="sm">
        The partner {of}
      </PartnerLink>
    );
  return (
    <TextLink to="/webhooks" size="sm">
      All webhooks
    </TextLink>
  );
}

function Parts({ endpoint }: { endpoint: Webhook }) {
  const { caller, may } = useView();
  // Operators change their own alone.
  const isOwn = caller.kind === 'client' || endpoint.partner_ref === null;
  const mayChange = isOwn && may('putWebhookEndpointsEndpointId');
  return (
    <Stack gap="lg">
      <Facts endpoint={endpoint} />
      {mayChange && (
        <Stack gap="xs">
          <WebhookTasks endpoint={endpoint} />
        </Stack>
      )}
      {mayChange && <Settings endpoint={endpoint} />}
      <WebhookAttempts id={endpoint.id} />
    </Stack>
  );
}

function Facts({ endpoint }: { endpoint: Webhook }) {
  const { url, types, description, created_at } = endpoint;
  const { mark, word } = webhookStatus(endpoint);
  const why = whyNothing(endpoint);
  return (
    <Section title="The webhook">
      <Table aria-label="The webhook">
        <Table.Tbody>
          <Fact name="State">
            <Group gap="xs">
              <StatusMark mark={mark}>{word}</StatusMark>
              {why !== null && <Text size="sm">{why}</Text>}
            </Group>
          </Fact>
          <Fact name="URL">{url}</Fact>
          <Fact name="Events">{types === null ? 'All' : types.join(', ')}</Fact>
          {description !== null && <Fact name="Description">{description}</Fact>}
          <Fact name="Added">
            <Time at={created_at} />
          </Fact>
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{children}</Table.Td>
    </Table.Tr>
  );
}

function Settings({ endpoint }: { endpoint: Webhook }) {
  const form = useSettings(webhookValuesOf(endpoint));
  const save = useChange(changeWebhook(endpoint.id), {
    onDone: () => {
      form.resetDirty();
      sayItIsSaved();
    },
    onRefused: (error) => showProblem(form, error, 'url'),
  });
  return (
    <SettingsForm
      title="Settings"
      form={form}
      isSaving={save.isPending}
      isMain={endpoint.status !== 'unconfirmed'}
      onSave={(values) => save.mutate(webhookBodyOf(values))}
    >
      <Text size="sm">Another URL has to be confirmed again, and goes on where the former one ended.</Text>
      <WebhookFields form={form} />
    </SettingsForm>
  );
}
