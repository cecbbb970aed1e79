import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { sharesDns } from '../../../api/caller.js';
import { useChange } from '../../../api/change.js';
import { checkNow, dnsCheckQuery, relayStatusQuery } from '../../../api/domains.js';
import { sentence } from '../../../api/problem.js';
import type { DnsCheck, RelayStatus } from '../../../api/shapes.js';
import { verificationStatus } from '../../../parts/domain-status.js';
import { countOf } from '../../../parts/numbers.js';
import { Queried } from '../../../parts/queried.js';
import { saveText } from '../../../parts/save-text.js';
import { StatusMark } from '../../../parts/status-mark.js';
import { Time } from '../../../parts/time.js';
import { useView } from '../../frame/view.js';
import { useDomainName } from '../domain-name.js';
import { DnsRecordCard } from './dns-record-card.js';
import { ShareDnsPage } from './share-dns-page.js';
import { zoneFileOf } from './zone-file.js';

/** The records to publish, what is there now, and what is wrong. Turns verified before the reader's eyes. */
export function DnsPage() {
  const name = useDomainName();
  const status = useQuery(relayStatusQuery(name));
  const check = useQuery(dnsCheckQuery(name));
  return (
    <Stack>
      <Queried query={status} what="Reading the state">
        {(read) => <Verification status={read} />}
      </Queried>
      <Queried query={check} what="Asking the name servers">
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
  if (inherited_from !== null) return `The verification of ${inherited_from} counts for this domain.`;
  if (verified) return 'The domain may send.';
  const next =
    'Publish the records below where its DNS is kept. This page turns green by itself, mostly within minutes.';
  return last_error === null ? next : `${next} ${sentence(last_error)}`;
}

function Records({ name, check }: { name: string; check: DnsCheck }) {
  const { caller, partnerRef } = useView();
  const needed = check.checks.filter(({ required }) => required);
  const advice = check.checks.filter(({ required }) => !required);
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm">
          {summaryOf(needed)}{' '}
          <Text span c="dimmed" inherit>
            Checked <Time at={check.checked_at} relative />.
          </Text>
        </Text>
        <Group gap="xs">
          <CheckNow name={name} />
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => saveText(`${name}.zone`, zoneFileOf(check))}
          >
            Zone file
          </Button>
          {partnerRef === undefined && sharesDns(caller) && <ShareDnsPage name={name} />}
        </Group>
      </Group>
      {needed.map((row) => (
        <DnsRecordCard key={keyOf(row)} row={row} />
      ))}
      {advice.length > 0 && (
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            Good to have
          </Text>
          {advice.map((row) => (
            <DnsRecordCard key={keyOf(row)} row={row} />
          ))}
        </Stack>
      )}
    </Stack>
  );
}

/** Asks the name servers and the relay at once. */
function CheckNow({ name }: { name: string }) {
  const check = useChange(checkNow(name));
  return (
    <Button
      size="xs"
      loading={check.isPending}
      leftSection={<IconRefresh size={16} aria-hidden />}
      onClick={() => check.mutate(undefined)}
    >
      Check now
    </Button>
  );
}

function summaryOf(needed: DnsCheck['checks']): string {
  const unknown = needed.filter(({ status }) => status === 'error').length;
  const wrong = needed.filter(({ status }) => status !== 'ok').length - unknown;
  const parts = [
    ...(wrong > 0 ? [`${countOf(wrong, 'record')} to publish or correct.`] : []),
    ...(unknown > 0 ? [`${countOf(unknown, 'record')} could not be checked.`] : []),
  ];
  return parts.length === 0 ? 'Every required record is right.' : parts.join(' ');
}

function keyOf({ record, type, name }: DnsCheck['checks'][number]): string {
  return `${record} ${type} ${name}`;
}
