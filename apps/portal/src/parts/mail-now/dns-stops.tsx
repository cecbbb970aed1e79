import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isOperator } from '../../api/caller.js';
import { dnsCheckQuery } from '../../api/dns-check.js';
import type { Caller } from '../../api/shapes.js';
import { listOf, t } from '../../texts/texts.js';
import { TextLink } from '../links.js';
import type { Severity } from '../severity.js';
import { Counterpart } from './counterpart.js';
import type { MailStateFacts } from './mail-state.js';
import { StopCard } from './stop-card.js';

interface DnsStopsFacts extends Pick<MailStateFacts, 'domain' | 'incoming' | 'reader' | 'may'> {
  facts: NonNullable<MailStateFacts['facts']>;
}

/** Whether no mail arrives because of the MX records. */
export function lacksMx(facts: MailStateFacts['facts']): boolean {
  return facts?.missing_dns?.some((lack) => lack === 'mx' || lack === 'mx_mailboxes') === true;
}

/** A card for each DNS record that is missing or leads elsewhere. */
export function DnsStops({ domain, incoming, reader, may, facts }: DnsStopsFacts) {
  const lacks = facts.missing_dns ?? [];
  // A domain that is not open for mail gets none, whatever its MX records are.
  const isOpen = incoming.action !== 'none';
  const first = <FirstHosts domain={domain} isRead={may('getDomainsDomainNameDnsCheck')} />;
  const publish = <WhoPublishes domain={domain} reader={reader} />;
  const say = (
    <>
      <Text size="sm">{t('mail.mxSay')}</Text>
      {publish}
    </>
  );
  const card = (severity: Severity, what: string) => <StopCard severity={severity} what={what} now={publish} />;
  return (
    <>
      {facts.attention.includes('dns_at_risk') && card('wait', t('mail.atRisk'))}
      {lacks.includes('spf') && card('wait', t('mail.noSpf'))}
      {isOpen && lacks.includes('mx') && card('bad', t('mail.noMx'))}
      {isOpen && lacks.includes('mx_mailboxes') && (
        <StopCard severity="bad" what={t('mail.mxMailboxes')} why={first} now={say} />
      )}
      {lacks.includes('mx_elsewhere') && (
        <StopCard severity="wait" what={t('mail.mxElsewhere')} why={first} now={say} />
      )}
    </>
  );
}

/** Where mail arrives first. */
function FirstHosts({ domain, isRead }: { domain: string; isRead: boolean }) {
  const { data } = useQuery({ ...dnsCheckQuery(domain), enabled: isRead });
  const first = data?.front_hosts?.first ?? [];
  return first.length > 0 && <Text size="sm">{t('mail.mxFirst', { hosts: listOf(first) })}</Text>;
}

/** Who corrects the DNS records of a domain, and where they are. */
function WhoPublishes({ domain, reader }: { domain: string; reader: Caller }) {
  return (
    <>
      <Text size="sm">
        {t('mail.whoMustAct', { who: t(isOperator(reader) ? 'mail.partner' : 'mail.you') })}{' '}
        <TextLink to="/domains/$domain/dns" params={{ domain }} size="sm">
          {t('mail.which')}
        </TextLink>
      </Text>
      <Counterpart reader={reader} />
    </>
  );
}
