import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { SuspensionCauses } from '@mailstead/core/domains/suspension';
import type { OutboundCounter } from '@mailstead/core/outbound/outbound-counter';
import {
  type CountedIncrement,
  incrementKey,
  type LedgerDomain,
  type LedgerQuery,
  type LedgerSnapshot,
  senderKey,
} from '@mailstead/core/outbound/outbound-ledger';
import type { Recipient } from '@mailstead/core/outbound/recipients';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { Row } from '../driver/database.js';
import { type DomainLocation, type DomainLocations, isSameLocation } from './domain-locations.js';
import { hashId, toCounter } from './outbound-rows.js';

/** The keys of all rows that a batch of queries reads. */
export interface BatchKeys {
  /** The assumed location of each name. The batch locks these, even if the cache changes meanwhile. */
  locations: Map<DomainName, DomainLocation | undefined>;
  /** The ids of the domains and their parents, in the order in which counters are locked. */
  ids: number[];
  parentIds: number[];
  senders: [domainId: number, sender: string][];
  /** By `incrementKey`. */
  increments: Map<string, [domainId: number, idHash: string]>;
  recipients: Recipient[];
}

/** For a domain without a known location, only its name is looked up. */
export function batchKeysOf(queries: readonly LedgerQuery[], locations: DomainLocations): BatchKeys {
  const assumed: BatchKeys['locations'] = new Map();
  const ids = new Set<number>();
  const parentIds = new Set<number>();
  const senders = new Map<string, [number, string]>();
  const increments: BatchKeys['increments'] = new Map();
  const asRecipients: Recipient[] = [];
  for (const { domain, sender, id, recipients } of queries) {
    const location = locations.find(domain);
    for (const recipient of recipients ?? []) asRecipients.push(recipient);
    assumed.set(domain, location);
    if (location === undefined) continue;
    ids.add(location.id);
    if (location.parentId !== null) parentIds.add(location.parentId);
    if (sender !== null) senders.set(senderKey(location.id, sender), [location.id, sender]);
    if (id !== null) increments.set(incrementKey(location.id, id), [location.id, hashId(id)]);
  }
  return {
    locations: assumed,
    ids: [...new Set([...ids, ...parentIds])].sort((left, right) => left - right),
    parentIds: [...parentIds],
    senders: [...senders.values()],
    increments,
    recipients: asRecipients,
  };
}

/** Whether each domain has the assumed location. */
export function hasAssumedLocations({ locations }: BatchKeys, found: ReadonlyMap<DomainName, DomainLocation>): boolean {
  for (const [name, location] of locations) if (!isSameLocation(location, found.get(name))) return false;
  return true;
}

export function toCounters(rows: readonly Row[]): Map<number, OutboundCounter> {
  return new Map(rows.map((row) => [Number(row.domain_id), toCounter(row)]));
}

/** The domains and their parents, by name and by id. */
export function toDomains(
  rows: readonly Row[],
  counterOf: (id: number) => OutboundCounter,
): Pick<LedgerSnapshot, 'domains' | 'byId'> {
  const byId = new Map<number, LedgerDomain>();
  for (const row of rows) {
    const id = Number(row.id);
    // A domain that is read both for itself and as a parent has one counter.
    if (!byId.has(id)) byId.set(id, toLedgerDomain(row, counterOf(id)));
  }
  const domains: LedgerSnapshot['domains'] = new Map();
  for (const row of rows) {
    const domain = byId.get(Number(row.id));
    if (domain !== undefined) domains.set(domain.name, domain);
  }
  return { domains, byId };
}

export interface LimitedSender {
  domainId: number;
  sender: string;
  dailyLimit: number;
}

/** The senders with their own limit. It applies on the domains of the partner of their mailbox. */
export function limitedSenders(
  { senders }: BatchKeys,
  { byId }: Pick<LedgerSnapshot, 'byId'>,
  mailboxRows: readonly Row[],
): LimitedSender[] {
  const byEmail = new Map(mailboxRows.map((row) => [row.email, row]));
  return senders.flatMap(([domainId, sender]) => {
    const mailbox = byEmail.get(sender);
    if (mailbox === undefined || Number(mailbox.partner_id) !== byId.get(domainId)?.partnerId) return [];
    return [{ domainId, sender, dailyLimit: Number(mailbox.outbound_daily_limit) }];
  });
}

export function toMailboxes(
  limited: readonly LimitedSender[],
  senderRows: readonly Row[],
): LedgerSnapshot['mailboxes'] {
  const sent = new Map(
    senderRows.map((row) => [senderKey(Number(row.domain_id), String(row.sender)), Number(row.sent)]),
  );
  return new Map(
    limited.map(({ domainId, sender, dailyLimit }) => {
      const key = senderKey(domainId, sender);
      return [key, { dailyLimit, sentToday: sent.get(key) ?? 0 }];
    }),
  );
}

export function toIncrements({ increments: keys }: BatchKeys, rows: readonly Row[]): LedgerSnapshot['increments'] {
  const increments: LedgerSnapshot['increments'] = new Map();
  if (rows.length === 0) return increments;
  const counted = new Map(rows.map((row) => [incrementKey(Number(row.domain_id), String(row.id_hash)), row]));
  for (const [key, [domainId, hash]] of keys) {
    const row = counted.get(incrementKey(domainId, hash));
    if (row !== undefined) increments.set(key, toIncrement(row));
  }
  return increments;
}

function toIncrement(row: Row): CountedIncrement {
  return {
    count: Number(row.message_count),
    answer: JSON.parse(String(row.verdict)) as CountedIncrement['answer'],
  };
}

function toLedgerDomain(row: Row, counter: OutboundCounter): LedgerDomain {
  return {
    id: Number(row.id),
    name: row.name as DomainName,
    partnerId: Number(row.partner_id),
    partnerRef: row.ref === '' ? null : (row.ref as PartnerRef),
    suspensionCauses: (row.suspension_causes === ''
      ? []
      : String(row.suspension_causes).split(',')) as unknown as SuspensionCauses,
    outboundTier: row.outbound_tier as LedgerDomain['outboundTier'],
    outboundEnforcement: row.outbound_enforcement as LedgerDomain['outboundEnforcement'],
    outboundStatus: row.outbound_status as LedgerDomain['outboundStatus'],
    operatorDailyLimit: row.operator_daily_limit as number | null,
    operatorMonthlyLimit: row.operator_monthly_limit as number | null,
    clientDailyLimit: row.client_daily_limit as number | null,
    clientMonthlyLimit: row.client_monthly_limit as number | null,
    transferMonthlyMb: Number(row.transfer_monthly_mb),
    parentId: row.parent_id === null ? null : Number(row.parent_id),
    inheritedUntil: dateOrNull(row.inherited_until),
    verificationStatus: row.status as LedgerDomain['verificationStatus'],
    verificationLostAt: dateOrNull(row.lost_at),
    counter,
  };
}

export function dateOrNull(value: unknown): Date | null {
  return value === null ? null : new Date(Number(value));
}
