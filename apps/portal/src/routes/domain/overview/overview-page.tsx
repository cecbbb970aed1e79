import { Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { may } from '../../../api/caller.js';
import { domainQuery } from '../../../api/domains.js';
import { outboundQuery } from '../../../api/outbound.js';
import type { Domain } from '../../../api/shapes.js';
import { LatestEvents } from '../../../parts/latest-events.js';
import { TextLink } from '../../../parts/links.js';
import { MailState } from '../../../parts/mail-now/mail-state.js';
import { formatMegabytes } from '../../../parts/numbers.js';
import { Columns, Section } from '../../../parts/page.js';
import { Queried } from '../../../parts/queried.js';
import { StatusMark } from '../../../parts/status-mark.js';
import { Time } from '../../../parts/time.js';
import { verificationStatus } from '../../../parts/verification-status.js';
import { t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';
import { useDomainName } from '../domain-name.js';
import { SendingLimits } from '../sending/sending-limits.js';

/** How a domain stands: what it is, what it may send, and what happened last. */
export function OverviewPage() {
  const name = useDomainName();
  const { caller, partnerRef } = useView();
  const domain = useQuery(domainQuery(name));
  const filters = { domain: name, ...(partnerRef === undefined ? {} : { partner_ref: partnerRef }) };
  return (
    <Stack gap="lg">
      {may(caller, 'getDomainsDomainNameOutbound') && <MailNow name={name} />}
      <Columns>
        <Queried query={domain}>{(read) => <Facts domain={read} />}</Queried>
        {may(caller, 'getDomainsDomainNameOutbound') && <Sending name={name} />}
      </Columns>
      {may(caller, 'getEvents') && <LatestEvents filters={filters} limit={6} />}
    </Stack>
  );
}

/** When it cannot be read, the limits below say so. */
function MailNow({ name }: { name: string }) {
  const { data } = useQuery(outboundQuery(name));
  return data !== undefined && <MailState domain={name} verdict={data.verdict} incoming={data.incoming} />;
}

function Sending({ name }: { name: string }) {
  const outbound = useQuery(outboundQuery(name));
  return <Queried query={outbound}>{(read) => <SendingLimits outbound={read} />}</Queried>;
}

function Facts({ domain }: { domain: Domain }) {
  const { name, mailboxes, aliases, plan, retention_days, transfer_monthly_mb, parent, created_at } = domain;
  const verification = verificationStatus(domain.verification_status);
  return (
    <Section title={t('domain.title')}>
      <Table aria-label={t('domain.title')}>
        <Table.Tbody>
          <Fact name={t('domain.verification')}>
            <StatusMark mark={verification.mark}>{verification.word}</StatusMark>{' '}
            <TextLink to="/domains/$domain/dns" params={{ domain: name }} size="sm">
              {t('domain.dnsRecords')}
            </TextLink>
          </Fact>
          <Fact name={t('domain.mailboxes')}>
            <Part of={name} to="/domains/$domain/mailboxes">
              {t('mailbox.count', { count: mailboxes })}
            </Part>
          </Fact>
          <Fact name={t('domain.aliases')}>
            <Part of={name} to="/domains/$domain/aliases">
              {t('alias.count', { count: aliases })}
            </Part>
          </Fact>
          <Fact name={t('domain.plan')}>{plan ?? t('page.none')}</Fact>
          <Fact name={t('domain.kept')}>
            {retention_days === 0 ? t('domain.forEver') : t('page.days', { count: retention_days })}
          </Fact>
          <Fact name={t('domain.transfer')}>
            {transfer_monthly_mb === 0 ? t('page.unlimited') : formatMegabytes(transfer_monthly_mb)}
          </Fact>
          {parent !== null && <Fact name={t('domain.parent')}>{parent}</Fact>}
          {domain.partner_ref !== null && <Fact name={t('domain.partner')}>{domain.partner_ref}</Fact>}
          <Fact name={t('domain.added')}>
            <Time at={created_at} />
          </Fact>
        </Table.Tbody>
      </Table>
    </Section>
  );
}

/** Leads to a part of the domain, for who may read it. */
function Part({
  of,
  to,
  children,
}: {
  of: string;
  to: '/domains/$domain/mailboxes' | '/domains/$domain/aliases';
  children: string;
}) {
  const { caller } = useView();
  if (!may(caller, 'getUsers')) return children;
  return (
    <TextLink to={to} params={{ domain: of }} size="sm">
      {children}
    </TextLink>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}
