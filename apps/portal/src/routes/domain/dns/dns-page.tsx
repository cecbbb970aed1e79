import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DownloadIcon, RefreshCwIcon } from 'lucide-react';
import { useChange } from '../../../api/change.js';
import { dnsCheckQuery } from '../../../api/dns-check.js';
import { checkNow, relayStatusQuery } from '../../../api/domains.js';
import { sentence } from '../../../api/problem.js';
import type { DnsCheck, RelayStatus } from '../../../api/shapes.js';
import { Queried } from '../../../parts/queried.js';
import { saveText } from '../../../parts/save-text.js';
import { SetUpMailServers } from '../../../parts/set-up-mail-servers.js';
import { StatusMark } from '../../../parts/status-mark.js';
import { Time } from '../../../parts/time.js';
import { verificationStatus } from '../../../parts/verification-status.js';
import { rich, t } from '../../../texts/texts.js';
import { useView } from '../../frame/view.js';
import { useDomainName } from '../domain-name.js';
import { DnsRecordCard, purposeOf } from './dns-record-card.js';
import { findingText } from './finding-text.js';
import { FrontHosts } from './front-hosts.js';
import { type RecordCard, sortChecks } from './record-cards.js';
import { ShareDnsPage } from './share-dns-page.js';
import { WhereToPublish } from './where-to-publish.js';
import { zoneFileOf } from './zone-file.js';

/** The records to publish, what is there now, and what is wrong. Turns verified before the reader's eyes. */
export function DnsPage() {
  const name = useDomainName();
  const status = useQuery(relayStatusQuery(name));
  const check = useQuery(dnsCheckQuery(name));
  return (
    <Stack>
      <Queried query={status} what={t('dns.readingState')}>
        {(read) => <Verification status={read} />}
      </Queried>
      <Queried query={check} what={t('dns.asking')}>
        {(read) => <Records name={name} check={read} />}
      </Queried>
    </Stack>
  );
}

function Verification({ status }: { status: RelayStatus }) {
  const { mark, word } = verificationStatus(status.verification_status);
  return (
    <Group gap="xs" role="status">
      <StatusMark mark={mark}>{word}</StatusMark>
      <Text size="sm" c="dimmed">
        {sentenceOfStatus(status)}
      </Text>
    </Group>
  );
}

function sentenceOfStatus({ verified, inherited_from, last_error }: RelayStatus): string {
  if (inherited_from !== null) return t('dns.verifiedByParent', { parent: inherited_from });
  if (verified) return t('dns.maySend');
  const next = t('dns.publishBelow');
  return last_error === null ? next : `${next} ${sentence(last_error)}`;
}

function Records({ name, check }: { name: string; check: DnsCheck }) {
  const { may } = useView();
  const needed = check.checks.filter(({ required }) => required);
  const { needed: open, advice, examples, right, notes } = sortChecks(check);
  const frontHosts = <FrontHosts name={name} check={check} />;
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm">
          {summaryOf(needed)}{' '}
          <Text span c="dimmed" inherit>
            {rich('dns.checked', { time: () => <Time at={check.checked_at} relative /> })}
          </Text>
        </Text>
        <Group gap="xs">
          <CheckNow name={name} />
          <Button
            size="xs"
            variant="default"
            leftSection={<DownloadIcon size={16} aria-hidden />}
            onClick={() => saveText(`${name}.zone`, zoneFileOf(check))}
          >
            {t('dns.zoneFile')}
          </Button>
          {may('postPortalLinks') && <ShareDnsPage name={name} />}
        </Group>
      </Group>
      {notes.map((row) => (
        <Group key={`${row.record} ${row.name}`} gap="xs" component="section" aria-label={purposeOf(row.record)}>
          <StatusMark mark="warn">{purposeOf(row.record)}</StatusMark>
          <Text size="sm">{findingText(row)}</Text>
        </Group>
      ))}
      {!open.some(isOfMx) && frontHosts}
      {[...open, ...advice].some(isToPublish) && <WhereToPublish zone={check.zone} />}
      {open.map((card) => (
        <DnsRecordCard key={card.record} card={card}>
          {isOfMx(card) && frontHosts}
        </DnsRecordCard>
      ))}
      {examples.length > 0 && <ExampleRecords cards={examples} />}
      {advice.length > 0 && (
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {t('dns.recommended')}
          </Text>
          {advice.map((card) => (
            <DnsRecordCard key={card.record} card={card} />
          ))}
        </Stack>
      )}
      {right.length > 0 && <RightRecords cards={right} />}
      <SetUpMailServers of={['MX_HOSTS', 'SPF_INCLUDE']} />
    </Stack>
  );
}

function ExampleRecords({ cards }: { cards: RecordCard[] }) {
  return (
    <Stack gap="xs" component="section" aria-label={t('dns.examples')}>
      <Text size="sm">{t('dns.examplesWhy')}</Text>
      {cards.map((card) => (
        <DnsRecordCard key={card.record} card={card} />
      ))}
    </Stack>
  );
}

/** What needs nothing any more, folded. */
function RightRecords({ cards }: { cards: RecordCard[] }) {
  const count = cards.flatMap(({ rows }) => rows).length;
  return (
    <details className="portal-folded">
      <summary>
        <StatusMark mark="good">{t('dns.rightCount', { count })}</StatusMark>
      </summary>
      <Stack mt="xs">
        {cards.map((card) => (
          <DnsRecordCard key={card.record} card={card} />
        ))}
      </Stack>
    </details>
  );
}

function isOfMx({ record }: RecordCard): boolean {
  return record === 'mx';
}

function isToPublish({ rows }: RecordCard): boolean {
  return rows.some(({ status }) => status !== 'ok');
}

/** Asks the name servers and the relay at once. */
function CheckNow({ name }: { name: string }) {
  const check = useChange(checkNow(name));
  return (
    <Button
      size="xs"
      loading={check.isPending}
      leftSection={<RefreshCwIcon size={16} aria-hidden />}
      onClick={() => check.mutate(undefined)}
    >
      {t('dns.checkNow')}
    </Button>
  );
}

function summaryOf(needed: DnsCheck['checks']): string {
  const unknown = needed.filter(({ status }) => status === 'error').length;
  const wrong = needed.filter(({ status }) => status !== 'ok').length - unknown;
  const parts = [
    ...(wrong > 0 ? [t('dns.toPublish', { count: wrong })] : []),
    ...(unknown > 0 ? [t('dns.unchecked', { count: unknown })] : []),
  ];
  return parts.length === 0 ? t('dns.allRight') : parts.join(' ');
}
