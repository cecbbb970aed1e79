import { isDay, isMonth } from '@mailstead/core/usage/usage-month';
import type { UsageRow } from '@mailstead/core/usage/usage-report';
import { Integer, Text } from '../http/fields.js';

const MONTH = {
  max: 32,
  rule: (text: string) => (isMonth(text) ? null : 'must be a month like 2026-03'),
  description: 'The UTC month, `YYYY-MM`',
  example: '2026-03',
};
const REF = { nullable: true, max: 128, example: null };

export class MonthQuery {
  @Text(MONTH) month!: string;
}

/** Exactly one of the two. */
export class UsageListQuery {
  @Text({ ...MONTH, optional: true }) month?: string;

  @Text({
    max: 32,
    rule: (text) => (isDay(text) ? null : 'must be a day like 2026-03-01'),
    optional: true,
    description: 'The UTC day, `YYYY-MM-DD`, instead of `month`; not for clients',
  })
  day?: string;
}

export class UsageRowResponse {
  @Text({ nullable: true, description: 'The partner; null for a domain of no partner', example: 'acme' })
  partner_ref!: string | null;
  @Text({ description: 'The name of the domain, which may be deleted', example: 'example.com' }) domain!: string;
  @Text({ ...REF, description: 'The reference of the domain on the last of the days' }) external_ref!: string | null;
  @Text({ ...REF, description: 'The reference of the billing system on the last of the days; null for clients' })
  billing_ref!: string | null;
  @Text({ nullable: true, description: 'The plan at the end of each of the days', example: 'starter' })
  plan!: string | null;
  @Text({ description: 'The first UTC day', example: '2026-03-01' }) from!: string;
  @Text({ description: 'The last UTC day', example: '2026-03-31' }) to!: string;
  @Integer({ description: 'The days on which the partner was the last to hold the name', example: 31 }) days!: number;
  @Integer({ description: 'The highest number of mailboxes on one of the days', example: 5 }) mailboxes_max!: number;
  @Integer({ description: "The sum of each day's highest number of mailboxes", example: 140 }) mailbox_days!: number;
  @Integer({ nullable: true, description: 'The most megabytes of stored mail on one of the days; null when not known' })
  storage_mb_max!: number | null;
  @Integer({ nullable: true, description: 'The sum of the megabytes of each day; null when not known' })
  storage_mb_days!: number | null;
  @Integer({ description: 'Outside recipients of sent messages', example: 1200 }) sent!: number;
  @Integer({ description: 'Bytes that count against the transfer cap', example: 52428800 }) bytes!: number;
  @Integer({ description: 'The part of `bytes` that was received', example: 41943040 }) bytes_in!: number;
  @Integer({ description: 'The part of `bytes` that was sent or read', example: 10485760 }) bytes_out!: number;
  @Integer({ description: 'Permanent bounces', example: 3 }) bounces!: number;
}

/** The columns of the CSV, in their order. */
export const USAGE_COLUMNS = [
  'partner_ref',
  'domain',
  'external_ref',
  'billing_ref',
  'plan',
  'from',
  'to',
  'days',
  'mailboxes_max',
  'mailbox_days',
  'storage_mb_max',
  'storage_mb_days',
  'sent',
  'bytes',
  'bounces',
  'bytes_in',
  'bytes_out',
] as const satisfies (keyof UsageRowResponse)[];

/** @param isClient clients do not see the references of the billing system */
export function presentUsage(row: UsageRow, isClient: boolean): UsageRowResponse {
  return {
    partner_ref: row.partnerRef,
    domain: row.domain,
    external_ref: row.externalRef,
    billing_ref: isClient ? null : row.billingRef,
    plan: row.plan,
    from: row.from,
    to: row.to,
    days: row.days,
    mailboxes_max: row.mailboxesMax,
    mailbox_days: row.mailboxDays,
    storage_mb_max: row.storageMbMax,
    storage_mb_days: row.storageMbDays,
    sent: row.sent,
    bytes: row.bytes,
    bytes_in: row.bytesIn,
    bytes_out: row.bytes - row.bytesIn,
    bounces: row.bounces,
  };
}
