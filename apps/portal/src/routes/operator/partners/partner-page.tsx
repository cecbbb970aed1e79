import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { EyeIcon } from 'lucide-react';
import { may as mayCall } from '../../../api/caller.js';
import { partnerQuery } from '../../../api/partners.js';
import type { Partner } from '../../../api/shapes.js';
import { BeginButton, useDialog } from '../../../parts/dialog-button.js';
import { LinkButton, TextLink } from '../../../parts/links.js';
import { countOf } from '../../../parts/numbers.js';
import { Columns, Page, Section } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import { useView } from '../../frame/view.js';
import { AllKeys } from '../../keys/all-keys.js';
import { CreateKey } from '../../keys/create-key.js';
import { WebhookList } from '../../webhooks/webhook-list.js';
import { PartnerBrand } from './partner-brand.js';
import { PartnerNames } from './partner-names.js';
import { PartnerRelay } from './partner-relay.js';
import { PartnerStatus } from './partner-status.js';
import { PartnerSuspension } from './partner-suspension.js';

/** One partner: what it uses, its keys with their limits, and its suspension. */
export function PartnerPage() {
  const { partner: ref } = useParams({ from: '/in/operator/partners/$partner' });
  const query = useQuery(partnerQuery(ref));
  return (
    <Page
      title={ref}
      actions={
        <LinkButton to="/" search={{ as: ref }} variant="default" leftSection={<EyeIcon size={16} aria-hidden />}>
          See as they do
        </LinkButton>
      }
    >
      <TextLink to="/operator/partners" size="sm">
        All partners
      </TextLink>
      <Queried query={query}>{(partner) => <Parts partner={partner} />}</Queried>
    </Page>
  );
}

function Parts({ partner }: { partner: Partner }) {
  const { partner_ref: ref, domains_used, mailboxes, aliases } = partner;
  const creating = useDialog();
  const { caller, may } = useView();
  return (
    <Stack gap="lg">
      <Group gap="md">
        <PartnerStatus partner={partner} />
        <Text size="sm">
          {countOf(domains_used, 'domain')}, {countOf(mailboxes, 'mailbox', 'mailboxes')},{' '}
          {countOf(aliases, 'alias', 'aliases')}
        </Text>
        <TextLink to="/operator/audit" search={{ partner_ref: ref }} size="sm">
          Audit log
        </TextLink>
        <TextLink to="/usage" search={{ partner: ref }} size="sm">
          Usage
        </TextLink>
      </Group>
      <Section title="Keys and limits" actions={may('postApiKeys') && <CreateKey partnerRef={ref} dialog={creating} />}>
        <AllKeys
          partnerRef={ref}
          begin={may('postApiKeys') && <BeginButton label="Create the first key" dialog={creating} />}
        />
      </Section>
      {mayCall(caller, 'getWebhookEndpoints') && (
        <Section title="Webhooks">
          <WebhookList partnerRef={ref} empty={<Text size="sm">The partner has no webhooks.</Text>} />
        </Section>
      )}
      <Columns>
        {may('putPartnersPartnerRef') && <PartnerNames key={`names-${ref}`} partner={partner} />}
        {may('getPartnersPartnerRefBrand') && <PartnerBrand partnerRef={ref} />}
        {may('getPartnersPartnerRefRelay') && <PartnerRelay partnerRef={ref} />}
        {may('putPartnersPartnerRefSuspend') && <PartnerSuspension partner={partner} />}
      </Columns>
    </Stack>
  );
}
