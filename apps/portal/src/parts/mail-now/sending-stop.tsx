import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Incoming, Verdict } from '../../api/shapes.js';
import { rich, t } from '../../texts/texts.js';
import { LinkButton, TextLink } from '../links.js';
import type { Severity } from '../severity.js';
import { Time } from '../time.js';
import { incomingText, liftersText, verdictText } from '../verdict-text.js';
import { Counterpart } from './counterpart.js';
import { LetItSend } from './let-it-send.js';
import { LiftCause } from './lift-cause.js';
import type { MailStateFacts } from './mail-state.js';
import { StopCard } from './stop-card.js';
import { isTold, WhySending } from './why-sending.js';

/** Why nothing is sent now, or more than a limit that is only monitored, and who ends it. */
export function SendingStop(state: MailStateFacts) {
  const { verdict, incoming } = state;
  const isSame = isSameStop(verdict, incoming);
  return (
    <StopCard
      severity={severityOf(verdict)}
      what={verdictText(verdict)}
      why={
        (isSame || isTold(verdict)) && (
          <>
            {isSame && <Text size="sm">{incomingText(incoming)}.</Text>}
            <WhySending {...state} />
          </>
        )
      }
      now={<WhatNow {...state} />}
    />
  );
}

function severityOf({ action, reason }: Verdict): Severity {
  if (action === 'accept') return 'wait';
  return reason === 'domain_suspended' ? 'off' : 'bad';
}

/** Whether what stops outgoing mail stops incoming mail too, so that one card tells both. */
export function isSameStop(verdict: Verdict, { action, reason }: Incoming): boolean {
  if (action === 'accept') return false;
  return reason === verdict.reason || (reason === 'inbound_pending' && verdict.reason === 'not_verified');
}

function WhatNow(state: MailStateFacts) {
  const { domain, verdict, reader, may, facts, mailbox } = state;
  const { reason, until, causes } = verdict;
  const lifters = liftersText(verdict, reader);
  const mended = causes.find(({ cause }) => cause === 'bounce_rate' || cause === 'complaint_rate');
  const ownCauses = causes.filter(({ of, liftable }) => of === 'domain' && liftable);
  const isBlocked = facts !== undefined && facts.blocked_reason !== null;
  // A mailbox's page is for its settings.
  const hasMain = mailbox === undefined;
  const buttons: ReactNode[] = [];
  if (isBlocked && may('putDomainsDomainNameOutbound') && reader.kind === 'master') {
    buttons.push(<LetItSend key="unblock" domain={domain} isMain={hasMain} />);
  }
  if (reason === 'domain_suspended' && may('putDomainsDomainNameActivate')) {
    buttons.push(
      ...ownCauses.map(({ cause, message }, index) => (
        <LiftCause
          key={cause}
          domain={domain}
          cause={cause}
          message={message ?? null}
          isMain={hasMain && buttons.length + index === 0}
        />
      )),
    );
  }
  if (mended?.of === 'domain' && may('getDomainsDomainNameBounces')) {
    buttons.push(<Addresses key="addresses" domain={domain} />);
  }
  return (
    <Stack gap={6}>
      {mended !== undefined && (
        <Text size="sm">{t(mended.cause === 'bounce_rate' ? 'mail.mendBounces' : 'mail.mendReports')}</Text>
      )}
      {lifters !== null && <Text size="sm">{lifters}</Text>}
      {reason === 'not_verified' && (
        <TextLink to="/domains/$domain/dns" params={{ domain }} size="sm">
          {t('mail.which')}
        </TextLink>
      )}
      {until !== null && <Text size="sm">{rich('mail.endsAt', { time: () => <Time at={until} /> })}</Text>}
      <RaiseLimit domain={domain} verdict={verdict} may={may} mailbox={mailbox} />
      {buttons.length > 0 && <Group gap="xs">{buttons}</Group>}
      {isOfOthers(verdict) && <Counterpart reader={reader} />}
    </Stack>
  );
}

/** Whether somebody can end it: also a limit, which ends by itself, can be raised. */
function isOfOthers({ lifted_by, limit = null }: Verdict): boolean {
  return limit !== null || lifted_by.some((lifter) => lifter !== 'itself');
}

/** The addresses that bounced, or that complained. */
function Addresses({ domain }: { domain: string }) {
  return (
    <LinkButton to="/domains/$domain/sending" params={{ domain }} hash="bounces" size="xs" variant="default">
      {t('mail.addresses')}
    </LinkButton>
  );
}

/** Where a limit is raised that is the partner's own, or by who sets those of the operator. */
function RaiseLimit({ domain, verdict, may, mailbox }: Pick<MailStateFacts, 'domain' | 'verdict' | 'may' | 'mailbox'>) {
  const { limit = null, reason, limited_by } = verdict;
  if (limit === null) return null;
  if (reason === 'mailbox_limit') {
    return mailbox !== undefined && may('putUsersEmail') && <Text size="sm">{t('mail.changedBelow')}</Text>;
  }
  if (limit.set_by !== 'partner' || !may('putDomainsDomainNameOutbound')) return null;
  return (
    <TextLink to="/domains/$domain/sending" params={{ domain: limited_by ?? domain }} hash="limits" size="sm">
      {t('mail.raise')}
    </TextLink>
  );
}
