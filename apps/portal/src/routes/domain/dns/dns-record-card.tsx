import { Code, Group, Paper, Stack, Text } from '@mantine/core';
import type { DnsCheckRow } from '../../../api/shapes.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { type Mark, StatusMark } from '../../../parts/status-mark.js';

const PURPOSES: Record<string, string> = {
  mx: 'Mail arrives here (MX)',
  spf: 'This service may send (SPF)',
  verification: 'The domain is yours (ownership)',
  dkim: 'Mail is signed (DKIM)',
  dmarc: 'What others do with forged mail (DMARC)',
  mta_sts: 'Mail arrives encrypted (MTA-STS)',
  tls_rpt: 'Reports about encryption (TLS-RPT)',
};

/** One record: what to publish, what is there now, and what is wrong. */
export function DnsRecordCard({ row }: { row: DnsCheckRow }) {
  const { mark, word } = stateOf(row);
  const isRight = row.status === 'ok';
  return (
    <Paper withBorder p="sm" component="section" aria-label={`${PURPOSES[row.record] ?? row.record}: ${row.name}`}>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600}>
            {PURPOSES[row.record] ?? row.record}
          </Text>
          <StatusMark mark={mark}>{word}</StatusMark>
        </Group>
        {row.expected.length > 0 && (
          <dl className="portal-record">
            <dt>Type</dt>
            <dd>{row.type}</dd>
            <dt>Name</dt>
            <dd>
              <Copied value={row.name} what="the name" />
            </dd>
            <dt>{row.expected.length > 1 ? 'Values' : 'Value'}</dt>
            <dd>
              {row.expected.map((value) => (
                <Copied key={value} value={value} what="the value" />
              ))}
            </dd>
            {!isRight && row.status !== 'error' && (
              <>
                <dt>There now</dt>
                <dd>
                  {row.found.length === 0 ? 'nothing' : row.found.map((value) => <Found key={value} value={value} />)}
                </dd>
              </>
            )}
          </dl>
        )}
        {row.detail !== '' && (
          <Text size="sm" {...(isRight ? { c: 'dimmed' } : {})}>
            {row.detail}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

function Copied({ value, what }: { value: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code className="portal-value">{value}</Code>
      <CopyButton value={value} what={`${what} ${value}`} />
    </Group>
  );
}

function Found({ value }: { value: string }) {
  return (
    <Code className="portal-value" display="block" w="fit-content">
      {value}
    </Code>
  );
}

function stateOf({ status, required }: DnsCheckRow): { mark: Mark; word: string } {
  switch (status) {
    case 'ok':
      return { mark: 'good', word: 'Right' };
    case 'missing':
      return required ? { mark: 'wait', word: 'Not there yet' } : { mark: 'none', word: 'Not there' };
    case 'mismatch':
      return required ? { mark: 'bad', word: 'Not right' } : { mark: 'warn', word: 'Not right' };
    case 'error':
      return { mark: 'warn', word: 'Could not be checked' };
  }
}
