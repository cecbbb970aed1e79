import { Code, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DnsCheckRow, RecordToPublish } from '../../../api/shapes.js';
import { CopyButton } from '../../../parts/copy-button.js';
import { type Mark, StatusMark } from '../../../parts/status-mark.js';
import { t, textOrNull } from '../../../texts/texts.js';
import { findingText } from './finding-text.js';
import { isRowRight, type RecordCard } from './record-cards.js';

/** Their sentence says nothing that the state and the record do not show. */
const SAID_BY_THE_RECORD = new Set<DnsCheckRow['code']>([
  'mx_missing',
  'spf_missing',
  'verification_missing',
  'dkim_txt_missing',
  'dkim_cname_missing',
]);

export function purposeOf(record: string): string {
  return textOrNull('record', record) ?? record;
}

/** What to publish for one purpose, what is there now, what is wrong, and what else there is to do. */
export function DnsRecordCard({ card, children }: { card: RecordCard; children?: ReactNode }) {
  const { record, rows } = card;
  const { mark, word } = stateOf(card);
  return (
    <Paper withBorder p="md" component="section" aria-label={purposeOf(record)}>
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600}>
            {purposeOf(record)}
          </Text>
          <StatusMark mark={mark}>{word}</StatusMark>
        </Group>
        {rows.length > 1 && isOfOneType(rows) && (
          <Text size="sm">{t('card.ofType', { count: rows.length, type: rows[0]?.type ?? '' })}</Text>
        )}
        {rows.map((row) => (
          <Row
            key={`${row.type} ${row.name}`}
            row={row}
            hasType={rows.length === 1 || !isOfOneType(rows)}
            isFolded={rows.length > 1 && !isWhollyRight(rows)}
          />
        ))}
        {children}
      </Stack>
    </Paper>
  );
}

interface RowOptions {
  row: DnsCheckRow;
  hasType: boolean;
  /** Whether the row is only named when it is right, beside others that are not. */
  isFolded: boolean;
}

function Row({ row, hasType, isFolded }: RowOptions) {
  const isRight = isRowRight(row);
  if (isFolded && isRight)
    return (
      <Group gap="xs" className="portal-record-row">
        <Code className="portal-value">{row.records[0]?.relative_name}</Code>
        <StatusMark mark="good">{t('card.right')}</StatusMark>
      </Group>
    );
  return (
    <Stack gap={4} className="portal-record-row">
      <dl className="portal-record">
        {hasType && (
          <>
            <dt>{t('card.type')}</dt>
            <dd>{row.type}</dd>
          </>
        )}
        <Name record={row.records[0]} />
        {row.records.map((record) => (
          <Value key={record.value} record={record} />
        ))}
        {!isRight && row.found.length > 0 && (
          <>
            <dt>{t('card.thereNow')}</dt>
            <dd>
              {row.found.map((value) => (
                <Code key={value} className="portal-value" display="block" w="fit-content">
                  {value}
                </Code>
              ))}
            </dd>
          </>
        )}
      </dl>
      {!isRight && !SAID_BY_THE_RECORD.has(row.code) && <Text size="sm">{findingText(row)}</Text>}
    </Stack>
  );
}

/** The records of a check have one name. */
function Name({ record }: { record: RecordToPublish | undefined }) {
  if (record === undefined) return null;
  const { name, relative_name } = record;
  return (
    <>
      <dt>{t('card.name')}</dt>
      <dd>
        <Group gap="0 12px">
          {relative_name !== name && (
            <Copied value={relative_name} what={t('card.theShortName', { value: relative_name })} />
          )}
          <Copied value={name} what={t('card.theName', { value: name })} />
        </Group>
      </dd>
    </>
  );
}

function Value({ record: { priority, value } }: { record: RecordToPublish }) {
  return (
    <>
      {priority !== null && (
        <>
          <dt>{t('card.priority')}</dt>
          <dd>
            <Copied value={String(priority)} what={t('card.thePriority', { value: priority })} />
          </dd>
        </>
      )}
      <dt>{t('card.value')}</dt>
      <dd>
        <Copied value={value} what={t('card.theValue', { value })} />
      </dd>
    </>
  );
}

function Copied({ value, what }: { value: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code className="portal-value">{value}</Code>
      <CopyButton value={value} what={what} />
    </Group>
  );
}

/** From the worst to the best. */
const WORST_FIRST = ['mismatch', 'missing', 'error', 'ok'] as const;

function stateOf({ rows, required }: RecordCard): { mark: Mark; word: string } {
  if (rows.some(({ example }) => example === true)) return { mark: 'none', word: t('card.example') };
  const worst = WORST_FIRST.find((status) => rows.some((row) => row.status === status)) ?? 'ok';
  switch (worst) {
    case 'missing':
      return required ? { mark: 'wait', word: t('card.notThereYet') } : { mark: 'none', word: t('card.notThere') };
    case 'mismatch':
      return { mark: required ? 'bad' : 'warn', word: t('card.notRight') };
    case 'error':
      return { mark: 'warn', word: t('card.unchecked') };
    case 'ok':
      return isWhollyRight(rows)
        ? { mark: 'good', word: t('card.right') }
        : { mark: 'warn', word: t('card.rightWithWarning') };
  }
}

function isWhollyRight(rows: DnsCheckRow[]): boolean {
  return rows.every(isRowRight);
}

function isOfOneType(rows: DnsCheckRow[]): boolean {
  return rows.every(({ type }) => type === rows[0]?.type);
}
