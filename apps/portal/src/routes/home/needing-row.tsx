import { Text } from '@mantine/core';
import { isCustomer } from '../../api/caller.js';
import type { Caller, Domain } from '../../api/shapes.js';
import { DomainStatus } from '../../parts/domain-status.js';
import { TextLink } from '../../parts/links.js';
import { NameAsRead } from '../../parts/name-as-read.js';
import { PartnerLink } from '../../parts/partner-link.js';
import { Row } from '../../parts/row.js';
import { severityOf } from '../../parts/severity.js';
import { StatusMark } from '../../parts/status-mark.js';
import { causesFor, suspensionCauses } from '../../parts/suspension-causes.js';
import { useView } from '../frame/view.js';
import type { Reason } from './needing.js';
import { WrongRecords } from './wrong-records.js';

const BLOCKED: Record<NonNullable<Domain['blocked_reason']>, string> = {
  bounce_rate: 'It may not send: too many bounces.',
  complaint_rate: 'It may not send: too many recipients called its mail spam.',
  operator: 'It may not send: the operator stopped it.',
};

/** What needs someone, and what to do: a domain, or the partner of all its domains. */
export function NeedingRow({ reason, domain }: { reason: Reason; domain: Domain }) {
  if (reason === 'partner_suspended') return <PartnerRow domain={domain} />;
  const title = (
    <TextLink to="/domains/$domain" params={{ domain: domain.name }} fw={600} size="sm">
      <NameAsRead name={domain.name} />
    </TextLink>
  );
  return (
    <Row severity={severityOf(domain.state)} title={title} status={<DomainStatus domain={domain} />}>
      <WhatToDo reason={reason} domain={domain} />
    </Row>
  );
}

function PartnerRow({ domain: { partner_ref, partner_stage } }: { domain: Domain }) {
  const { caller, may } = useView();
  const title =
    partner_ref !== null && may('getPartnersPartnerRef') ? (
      <PartnerLink partner={partner_ref} fw={600} size="sm" />
    ) : (
      <Text fw={600} size="sm">
        {caller.kind === 'client' ? 'All domains' : partner_ref}
      </Text>
    );
  return (
    <Row
      severity="off"
      title={title}
      status={<StatusMark mark="none">{isCustomer(caller) ? 'Suspended' : 'Partner suspended'}</StatusMark>}
    >
      <Text size="xs" c="dimmed">
        {partner_stage === 'changes'
          ? 'Its domains send nothing, and nothing can be changed. Mail to them arrives.'
          : 'The mail of all its domains waits.'}
      </Text>
    </Row>
  );
}

function WhatToDo({ reason, domain }: { reason: Exclude<Reason, 'partner_suspended'>; domain: Domain }) {
  const { caller } = useView();
  switch (reason) {
    case 'suspended':
      return (
        <Text size="xs" c="dimmed">
          {suspendedText(domain, caller)}
        </Text>
      );
    case 'mail_waiting':
      return (
        <Text size="xs" c="dimmed">
          Mail that was accepted has waited for four days. It leaves when the suspension ends.
        </Text>
      );
    case 'blocked':
      return (
        <Text size="xs" c="dimmed">
          {blockedText(domain, caller)}
        </Text>
      );
    case 'stopped':
      return <Stopped domain={domain} />;
    case 'dns_at_risk':
    case 'dns_missing':
    case 'unverified':
    case 'pending':
      return <WrongRecords name={domain.name} />;
    case 'daily_limit':
    case 'monthly_limit':
    case 'transfer_limit':
      return <NearLimit name={domain.name}>{limitSentence(reason, domain.state)}</NearLimit>;
    case 'suppressions_high':
      return <NearLimit name={domain.name}>Yesterday it wrote to too many addresses that do not work.</NearLimit>;
  }
}

/** A customer learns of abuse alone why its provider, or the operator, stopped its mail. */
function suspendedText({ suspension_causes }: Domain, caller: Caller): string {
  const causes = suspensionCauses(causesFor(caller, suspension_causes));
  return `${causes === null ? 'Suspended' : `Suspended ${causes}`}: its mail waits.`;
}

function blockedText({ blocked_reason }: Domain, caller: Caller): string {
  if (blocked_reason === null || (blocked_reason === 'operator' && isCustomer(caller))) return 'It may not send.';
  return BLOCKED[blocked_reason];
}

/** Mostly none of the reasons for attention: that of a parent, of the relay provider, or a domain that is not open. */
function Stopped({ domain: { name, state } }: { domain: Domain }) {
  if (state?.reason === 'not_verified' || state?.reason === 'dns_missing') return <WrongRecords name={name} />;
  if (state?.reason === 'inbound_pending')
    return (
      <Text size="xs" c="dimmed">
        Mail to it is refused: it is not open for mail.
      </Text>
    );
  return (
    <TextLink to="/domains/$domain" params={{ domain: name }} size="xs">
      See why, and what ends it
    </TextLink>
  );
}

const LIMITS = {
  daily_limit: 'limit of the day',
  monthly_limit: 'limit of the month',
  transfer_limit: 'transfer of the month',
};

/** Mail waits only for the limit that the state names. */
function limitSentence(reason: keyof typeof LIMITS, state: Domain['state']): string {
  const limit = LIMITS[reason];
  if (state?.reason === reason && state.sends === 'waits') return `It has used its ${limit}: its mail waits.`;
  if (state?.reason === reason && state.sends === 'monitored') return `It has used its ${limit}, and still sends.`;
  return `It has used at least 80% of its ${limit}.`;
}

function NearLimit({ name, children }: { name: string; children: string }) {
  return (
    <TextLink to="/domains/$domain/sending" params={{ domain: name }} size="xs">
      {children}
    </TextLink>
  );
}
