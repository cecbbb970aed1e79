import { Group, Paper, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { domainsQuery, hasDomainsQuery } from '../../api/domains.js';
import { rowsOf } from '../../api/paged-list.js';
import type { Domain } from '../../api/shapes.js';
import { DomainStatus } from '../../parts/domain-status.js';
import { LinkButton, TextLink } from '../../parts/links.js';
import { Section } from '../../parts/page.js';
import { Queried } from '../../parts/queried.js';
import { Empty } from '../../parts/states.js';
import { StatusMark } from '../../parts/status-mark.js';
import { useView } from '../frame/view.js';
import { WrongRecords } from './wrong-records.js';

const SHOWN = 5;

/** What needs someone; for who has no domain yet, to begin with one. */
export function Attention() {
  const { partnerRef, mayChange } = useView();
  const hasAny = useQuery(hasDomainsQuery(partnerRef));
  return (
    <Queried query={hasAny}>
      {(any) => (any ? <Needing partnerRef={partnerRef} /> : <First mayAdd={mayChange} />)}
    </Queried>
  );
}

/** The domains that need someone, with what to do. */
function Needing({ partnerRef }: { partnerRef: string | undefined }) {
  const filter = partnerRef === undefined ? {} : { partner_ref: partnerRef };
  const query = useInfiniteQuery(domainsQuery({ ...filter, attention: 'true' }));
  return (
    <Section
      title="What needs you"
      actions={
        <TextLink to="/domains" search={{ show: 'attention' }} size="sm">
          Show all
        </TextLink>
      }
    >
      <Queried query={query}>
        {(data) => {
          const rows = rowsOf(data);
          if (rows.length > 0) return rows.slice(0, SHOWN).map((domain) => <Row key={domain.id} domain={domain} />);
          return <StatusMark mark="good">Nothing. Every domain is as it should be.</StatusMark>;
        }}
      </Queried>
    </Section>
  );
}

function Row({ domain }: { domain: Domain }) {
  return (
    <Paper withBorder p="sm">
      <Stack gap={4}>
        <Group justify="space-between" gap="xs">
          <TextLink to="/domains/$domain" params={{ domain: domain.name }} fw={600} size="sm">
            {domain.name}
          </TextLink>
          <DomainStatus domain={domain} />
        </Group>
        <WhatToDo domain={domain} />
      </Stack>
    </Paper>
  );
}

function WhatToDo({ domain }: { domain: Domain }) {
  if (domain.status === 'suspended')
    return <Text size="sm">Suspended by {domain.suspension_causes.join(' and ')}: its mail waits.</Text>;
  if (domain.outbound_status === 'blocked')
    return <Text size="sm">It may not send: too many of its messages came back.</Text>;
  if (domain.verification_status !== 'verified') return <WrongRecords name={domain.name} />;
  return (
    <TextLink to="/domains/$domain/sending" params={{ domain: domain.name }} size="sm">
      It has used at least 80% of a limit of this day or month.
    </TextLink>
  );
}

function First({ mayAdd }: { mayAdd: boolean }) {
  return (
    <Empty title="Begin with a domain" action={mayAdd && <LinkButton to="/domains/add">Add a domain</LinkButton>}>
      The next page shows the DNS records to publish, and the domain turns verified by itself.
    </Empty>
  );
}
