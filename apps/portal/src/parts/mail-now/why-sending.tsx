import { List, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isCustomer, isOperator } from '../../api/caller.js';
import type { Caller, Verdict } from '../../api/shapes.js';
import { rich, t } from '../../texts/texts.js';
import { formatRate } from '../numbers.js';
import { formatDay, Time } from '../time.js';
import { alsoText, causeText, limitText } from '../verdict-text.js';

interface WhyFacts {
  verdict: Verdict;
  reader: Caller;
}

/** Whether more is known than the reason. */
export function isTold({ limited_by, causes, since, limit = null, also, reason }: Verdict): boolean {
  const isExplained = limited_by !== null || since !== null || limit !== null || reason === 'relay_paused';
  return isExplained || causes.length > 0 || also.length > 0;
}

/** The limit or the causes, since when, and what else holds. */
export function WhySending({ verdict, reader }: WhyFacts) {
  const { limited_by, causes, since, reason, limit = null } = verdict;
  const also = alsoText(verdict);
  return (
    <>
      {limited_by !== null && <Text size="sm">{t('mail.limitedBy', { parent: limited_by })}</Text>}
      {reason === 'relay_paused' && !isCustomer(reader) && <Text size="sm">{t('mail.pausedBy')}</Text>}
      {limit !== null && (
        <Text size="sm">
          {limitText(verdict)} {limit.set_by === 'partner' && reason !== 'mailbox_limit' && t(ownLimitKey(reader))}
        </Text>
      )}
      {causes.length > 0 && (
        <List size="sm" aria-label={t('mail.causes')}>
          {causes.map((cause) => (
            <List.Item key={`${cause.of} ${cause.cause}`}>
              <Cause text={causeText(verdict, cause, reader)} reader={reader} cause={cause} />
            </List.Item>
          ))}
        </List>
      )}
      {causes.length === 0 && since !== null && (
        <Text size="sm">{rich('mail.since', { time: () => <Time at={since} /> })}</Text>
      )}
      {also !== null && <Text size="sm">{also}</Text>}
    </>
  );
}

function ownLimitKey(reader: Caller): 'mail.ownLimitOfPartner' | 'mail.ownLimitOfDomain' | 'mail.ownLimit' {
  if (isOperator(reader)) return 'mail.ownLimitOfPartner';
  return isCustomer(reader) ? 'mail.ownLimitOfDomain' : 'mail.ownLimit';
}

type VerdictCause = Verdict['causes'][number];

/** A customer does not learn who set it. */
function Cause({ text, reader, cause }: { text: string; reader: Caller; cause: VerdictCause }) {
  const { since, by, message = null } = cause;
  const set = by === null || isCustomer(reader) ? text : t('mail.setBy', { cause: text, by });
  return (
    <>
      {since === null ? set : rich('mail.causeSince', { cause: set, time: () => <Time at={since} /> })}
      <Counted cause={cause} />
      {message !== null && <Text size="sm">{t('mail.says', { message })}</Text>}
    </>
  );
}

/** What was counted when bounces or complaints blocked the domain. */
function Counted({ cause: { cause, counts = null, since } }: { cause: VerdictCause }) {
  if (counts === null || since === null) return null;
  const { from, sent, rate, rate_limit } = counts;
  const values = {
    sent,
    from: formatDay(from),
    to: formatDay(since.slice(0, 'YYYY-MM-DD'.length)),
    rate: formatRate(rate),
    b: (content: ReactNode) => <b>{content}</b>,
  };
  return (
    <Text size="sm">
      {cause === 'bounce_rate'
        ? rich('mail.bounced', { ...values, count: counts.bounces })
        : rich('mail.reported', { ...values, count: counts.complaints })}
      {rate_limit !== null && ` ${t('mail.rateLimit', { limit: formatRate(rate_limit) })}`}
    </Text>
  );
}
