import { Group, List, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isOperator, may } from '../api/caller.js';
import { dnsCheckQuery } from '../api/dns-check.js';
import type { Caller, Domain, Incoming, Verdict } from '../api/shapes.js';
import { listOf, rich, t } from '../texts/texts.js';
import { FailedMessages } from './failed-messages.js';
import { TextLink } from './links.js';
import { type Mark, StatusMark } from './status-mark.js';
import { Time } from './time.js';
import { alsoText, causeText, incomingText, liftersText, verdictText } from './verdict-text.js';

const VERDICT_MARKS: Record<Verdict['action'], Mark> = { accept: 'good', defer: 'wait', reject: 'bad' };
const INCOMING_MARKS: Record<Incoming['action'], Mark> = { accept: 'good', defer: 'wait', none: 'none' };

type DnsFacts = Pick<Domain, 'attention' | 'missing_dns'>;

interface MailStateFacts {
  domain: string;
  verdict: Verdict;
  incoming: Incoming;
  reader: Caller;
  /** False: nobody can log in to the mailbox, which is told before the verdict. */
  isActive?: boolean;
  /** The domain, for what it lacks in the DNS. Undefined while it is read. */
  facts: DnsFacts | undefined;
  /** Set on the screen of a mailbox. */
  mailbox?: string;
  /** What the reader can do about it. */
  actions?: ReactNode;
}

/** Whether mail goes out and comes in, why not, since when, and who lifts it. All of it is the API's. */
export function MailState({
  domain,
  verdict,
  incoming,
  reader,
  isActive = true,
  facts,
  mailbox,
  actions,
}: MailStateFacts) {
  const lacks = facts?.missing_dns ?? [];
  // A domain that is not open for mail gets none, whatever its MX records are.
  const isOpen = incoming.action !== 'none';
  const isAtMailboxes = lacks.includes('mx_mailboxes');
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('mail.now')}>
      <Stack gap={6} role="status">
        {!isActive && (
          <>
            <StatusMark mark="bad">{t('mail.inactive')}</StatusMark>
            <Text size="sm">
              {t('mail.whoMustAct', { who: t(isOperator(reader) ? 'mail.partner' : 'mail.you') })} {t('mail.switchOn')}
            </Text>
          </>
        )}
        <Group gap="xs">
          <StatusMark mark={VERDICT_MARKS[verdict.action]}>{verdictText(verdict)}</StatusMark>
          {actions}
        </Group>
        <Why verdict={verdict} />
        <WhoLifts domain={domain} verdict={verdict} reader={reader} />
        {facts?.attention.includes('dns_at_risk') === true && <Text size="sm">{t('mail.atRisk')}</Text>}
        {lacks.includes('spf') && <StatusMark mark="warn">{t('mail.noSpf')}</StatusMark>}
        {may(reader, 'getMessages') && <FailedMessages domain={domain} mailbox={mailbox} />}
        {isOpen && (isAtMailboxes || lacks.includes('mx')) ? (
          <StatusMark mark="bad">{t(isAtMailboxes ? 'mail.mxMailboxes' : 'mail.noMx')}</StatusMark>
        ) : (
          <StatusMark mark={INCOMING_MARKS[incoming.action]}>{incomingText(incoming)}</StatusMark>
        )}
        {lacks.includes('mx_elsewhere') && <StatusMark mark="warn">{t('mail.mxElsewhere')}</StatusMark>}
        {(isAtMailboxes || lacks.includes('mx_elsewhere')) && <FirstHosts domain={domain} reader={reader} />}
        {facts !== undefined && <WhoPublishes domain={domain} facts={facts} reader={reader} />}
      </Stack>
    </Paper>
  );
}

/** Where mail arrives first, and what to do when it is passed on from there. */
function FirstHosts({ domain, reader }: Pick<MailStateFacts, 'domain' | 'reader'>) {
  const enabled = may(reader, 'getDomainsDomainNameDnsCheck');
  const { data } = useQuery({ ...dnsCheckQuery(domain), enabled });
  const first = data?.front_hosts?.first ?? [];
  return (
    <Text size="sm">
      {first.length > 0 && `${t('mail.mxFirst', { hosts: listOf(first) })} `}
      {t('mail.mxSay')}
    </Text>
  );
}

/** Who corrects the DNS records of a domain that needs it, and where they are. */
function WhoPublishes({ domain, facts, reader }: Pick<MailStateFacts, 'domain' | 'reader'> & { facts: DnsFacts }) {
  const isNeeded = facts.attention.some((reason) => reason === 'dns_missing' || reason === 'dns_at_risk');
  if (!isNeeded) return null;
  return (
    <Text size="sm">
      {t('mail.whoMustAct', { who: t(isOperator(reader) ? 'mail.partner' : 'mail.you') })}{' '}
      <TextLink to="/domains/$domain/dns" params={{ domain }} size="sm">
        {t('mail.which')}
      </TextLink>
    </Text>
  );
}

/** The causes, or without any since when the reason holds; then what else holds. */
function Why({ verdict }: { verdict: Verdict }) {
  const { limited_by, causes, since } = verdict;
  const also = alsoText(verdict);
  return (
    <>
      {limited_by !== null && <Text size="sm">{t('mail.limitedBy', { parent: limited_by })}</Text>}
      {causes.length > 0 && (
        <List size="sm" aria-label={t('mail.causes')}>
          {causes.map((cause) => (
            <List.Item key={`${cause.of} ${cause.cause}`}>
              <Cause text={causeText(verdict, cause)} {...cause} />
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

function Cause({ text, since, by }: { text: string } & Pick<Verdict['causes'][number], 'since' | 'by'>) {
  const set = by === null ? text : t('mail.setBy', { cause: text, by });
  return since === null ? set : rich('mail.causeSince', { cause: set, time: () => <Time at={since} /> });
}

function WhoLifts({ domain, verdict, reader }: Pick<MailStateFacts, 'domain' | 'verdict' | 'reader'>) {
  const { until, reason } = verdict;
  const lifters = liftersText(verdict, reader);
  return (
    <>
      {lifters !== null && (
        <Text size="sm">
          {lifters}{' '}
          {reason === 'not_verified' && (
            <TextLink to="/domains/$domain/dns" params={{ domain }} size="sm">
              {t('mail.which')}
            </TextLink>
          )}
        </Text>
      )}
      {until !== null && <Text size="sm">{rich('mail.endsAt', { time: () => <Time at={until} /> })}</Text>}
    </>
  );
}
