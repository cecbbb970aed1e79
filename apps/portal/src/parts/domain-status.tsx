import { Group, VisuallyHidden } from '@mantine/core';
import { isCustomer } from '../api/caller.js';
import { useCaller } from '../api/session.js';
import type { Caller, Domain, DomainState } from '../api/shapes.js';
import { t } from '../texts/texts.js';
import { riskWord } from './risk-word.js';
import { FLOW_COLOURS } from './severity.js';
import { momentText } from './time.js';

type StatusFacts = Pick<
  Domain,
  'state' | 'attention' | 'missing_dns' | 'partner_stage' | 'suspension_causes' | 'blocked_reason'
>;
type StateFacts = StatusFacts & { state: DomainState };
type Reason = NonNullable<DomainState['reason']>;

/** The state of a domain at a glance: what it sends, and what it receives. The API decides it. */
export function DomainStatus({ domain }: { domain: StatusFacts }) {
  const reader = useCaller();
  if (!hasState(domain)) return null;
  const word = sendingWord(domain, reader);
  if (word === receivingWord(domain, reader))
    return <Pill flow={domain.state.sends} direction={t('status.both')} word={word} />;
  return (
    <Group gap={6} component="span" display="inline-flex">
      <SendingPill domain={domain} />
      <ReceivingPill domain={domain} />
    </Group>
  );
}

export function SendingPill({ domain }: { domain: StatusFacts }) {
  const reader = useCaller();
  if (!hasState(domain)) return null;
  return <Pill flow={domain.state.sends} direction={t('status.sending')} word={sendingWord(domain, reader)} />;
}

export function ReceivingPill({ domain }: { domain: StatusFacts }) {
  const reader = useCaller();
  if (!hasState(domain)) return null;
  return <Pill flow={domain.state.receives} direction={t('status.receiving')} word={receivingWord(domain, reader)} />;
}

function hasState(domain: StatusFacts): domain is StateFacts {
  return domain.state !== undefined;
}

/** A word such as "Suspended" says nothing of its direction to who does not see where it stands. */
function Pill({ flow, direction, word }: { flow: DomainState['sends']; direction: string; word: string }) {
  return (
    <span className={`portal-pill portal-pill-${FLOW_COLOURS[flow]}`}>
      <span>
        <VisuallyHidden>{direction}: </VisuallyHidden>
        {word}
      </span>
    </span>
  );
}

function sendingWord(domain: StateFacts, reader: Caller): string {
  const { state } = domain;
  switch (state.sends) {
    case 'yes':
      return t('status.sends');
    case 'at_risk':
      return riskWord(domain);
    case 'monitored':
      return t('status.overLimit');
    case 'pending':
      return t('status.pending');
    case 'off':
      return suspendedWord(domain, reader);
    case 'waits':
      return waitsUntil(state) ?? t('status.sendingWaits');
    case 'no':
      return stoppedWord(state.reason, domain.blocked_reason);
  }
}

function receivingWord(domain: StateFacts, reader: Caller): string {
  const { state } = domain;
  switch (state.receives) {
    case 'yes':
      return t('status.receives');
    case 'pending':
      return t('status.pending');
    case 'off':
      return suspendedWord(domain, reader);
    case 'waits':
      return waitsUntil(state) ?? t('status.mailWaits');
    case 'no':
      return lackWord(domain, ['mx', 'mx_mailboxes']) ?? t('status.noMail');
    case 'at_risk':
      return lackWord(domain, ['mx_elsewhere']) ?? t('status.atRisk');
    case 'monitored':
      return t('status.atRisk');
  }
}

/** Null when the domain lacks none of these. */
function lackWord({ missing_dns = [] }: StateFacts, lacks: StateFacts['missing_dns'] & {}): string | null {
  const lack = lacks.find((each) => missing_dns.includes(each));
  return lack === undefined ? null : t(`lack.${lack}`);
}

/** The customers of a suspended partner need not know that it is. */
function suspendedWord({ suspension_causes, partner_stage }: Omit<StateFacts, 'state'>, reader: Caller): string {
  return suspension_causes.length === 0 && partner_stage !== null && !isCustomer(reader)
    ? t('status.partnerSuspended')
    : t('status.suspended');
}

function stoppedWord(reason: Reason | null, blocked: Domain['blocked_reason']): string {
  if (reason === 'not_verified') return t('status.notVerified');
  if (reason !== 'outbound_blocked') return t('status.stopped');
  if (blocked === 'bounce_rate') return t('status.stoppedByBounces');
  return blocked === 'complaint_rate' ? t('status.stoppedByComplaints') : t('status.stopped');
}

/** Only a limit ends at a time that is worth waiting for. */
function waitsUntil({ reason, until }: DomainState): string | null {
  const isOfLimit = reason === 'daily_limit' || reason === 'monthly_limit' || reason === 'transfer_limit';
  return isOfLimit && until !== null ? t('status.waitsUntil', { time: momentText(until) }) : null;
}
