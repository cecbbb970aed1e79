import { hash } from 'node:crypto';
import { OutboundCounter } from '@mailstead/core/outbound/outbound-counter';
import type { OutboundEpochs } from '@mailstead/core/outbound/outbound-period';
import { OUTBOUND_TIERS, type OutboundTier, type TierLimits } from '@mailstead/core/outbound/outbound-settings';
import type { Parameter, Row } from '../driver/database.js';

/** The columns of `outbound_counter`, in the order of `counterValues`. */
export const COUNTER_COLUMNS = [
  'domain_id',
  'day',
  'day_epoch',
  'sent_today',
  'forwarded_today',
  'partner_day',
  'partner_sent',
  'month',
  'month_epoch',
  'period_start',
  'sent_month',
  'bytes_month',
  'bytes_in_month',
  'bounces_month',
  'complaints_month',
];

export const COUNTER_SELECT = COUNTER_COLUMNS.join(', ');

export function toCounter(row: Row): OutboundCounter {
  return OutboundCounter.of({
    domainId: Number(row.domain_id),
    day: row.day as string,
    dayEpoch: Number(row.day_epoch),
    sentToday: Number(row.sent_today),
    forwardedToday: Number(row.forwarded_today),
    partnerDay: row.partner_day as string,
    partnerSent: Number(row.partner_sent),
    month: row.month as string,
    monthEpoch: Number(row.month_epoch),
    periodStart: new Date(Number(row.period_start)),
    sentMonth: Number(row.sent_month),
    bytesMonth: Number(row.bytes_month),
    // A process of the former release begins a month without this column. @until 5.3
    bytesInMonth: Math.min(Number(row.bytes_in_month), Number(row.bytes_month)),
    bouncesMonth: Number(row.bounces_month),
    complaintsMonth: Number(row.complaints_month),
  });
}

export function counterValues(counter: OutboundCounter): Parameter[] {
  return [
    counter.domainId,
    counter.day,
    counter.dayEpoch,
    counter.sentToday,
    counter.forwardedToday,
    counter.partnerDay,
    counter.partnerSent,
    counter.month,
    counter.monthEpoch,
    counter.periodStart.getTime(),
    counter.sentMonth,
    counter.bytesMonth,
    counter.bytesInMonth,
    counter.bouncesMonth,
    counter.complaintsMonth,
  ];
}

export function toEpochs(row: Row | undefined): OutboundEpochs {
  return {
    dayEpoch: Number(row?.day_epoch ?? 0),
    monthEpoch: Number(row?.month_epoch ?? 0),
    monthStartedAt: new Date(Number(row?.month_started_at ?? 0)),
  };
}

export function toTierLimits(rows: readonly Row[]): TierLimits {
  const byTier = new Map(rows.map((row) => [row.tier, row]));
  const limits = (tier: OutboundTier) => {
    const row = byTier.get(tier);
    if (row === undefined) throw new Error(`The tier ${tier} is missing in outbound_tier`);
    return { dailyLimit: Number(row.daily_limit), monthlyLimit: Number(row.monthly_limit) };
  };
  return Object.fromEntries(OUTBOUND_TIERS.map((tier) => [tier, limits(tier)])) as TierLimits;
}

/**
 * The hash of an increment's id, so that the key is short for any id. Two ids with the same 128 bits do not occur by
 * chance: among 10^12 ids the probability is below 10^-14.
 */
export function hashId(id: string): Buffer {
  // Through a text: a hash as a buffer takes four times as long.
  return Buffer.from(hash('sha256', id, 'binary').slice(0, 16), 'binary');
}
