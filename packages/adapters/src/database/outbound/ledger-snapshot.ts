import type { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { DomainWithParent } from '@mailstead/core/domains/domain-repository';
import type { SuspensionCauses } from '@mailstead/core/domains/suspension';
import { OutboundCounter } from '@mailstead/core/outbound/outbound-counter';
import {
  incrementKey,
  type LedgerDomain,
  type LedgerFacts,
  type LedgerQuery,
  type LedgerSnapshot,
  senderDomain,
} from '@mailstead/core/outbound/outbound-ledger';
import { type OutboundPeriod, periodAt } from '@mailstead/core/outbound/outbound-period';
import type { Recipient } from '@mailstead/core/outbound/recipients';
import { loginKeysOf } from '@mailstead/core/outbound/sender-logins';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { Verification } from '@mailstead/core/relay/verification';
import type { Row } from '../driver/database.js';
import { type DomainLocation, type DomainLocations, isSameLocation } from './domain-locations.js';
import { hashId, toCounter, toEpochs, toTierLimits } from './outbound-rows.js';
import { unpackIncrement } from './packed-increment.js';

type PartnerFacts = Pick<LedgerDomain, 'tenant' | 'refusesSuppressed'>;

/** Of a partner that was deleted meanwhile. */
const NO_TENANT: PartnerFacts = { tenant: null, refusesSuppressed: false };

/** The id of an increment, unique in its domain. */
export interface IncrementId {
  domainId: number;
  /** The name of the domain. */
  name: DomainName;
  id: string;
}

/** The keys of all rows that a batch of queries reads. */
export interface BatchKeys {
  /** The assumed location of each name. The batch locks these, even if the cache changes meanwhile. */
  locations: Map<DomainName, DomainLocation | undefined>;
  /** The ids of the domains, their parents and the senders' own domains, in the order in which counters are locked. */
  ids: number[];
  parentIds: number[];
  senders: string[];
  /** Those with a read receipt. */
  receiptSenders: string[];
  /** By `incrementKey`. */
  increments: Map<string, IncrementId>;
  recipients: Recipient[];
  /** Those of the claimed addresses, as `readSenderLogins` looks them up. */
  loginKeys: Set<string>;
}

/** For a domain without a known location, only its name is looked up. */
export function batchKeysOf(queries: readonly LedgerQuery[], locations: DomainLocations): BatchKeys {
  const assumed: BatchKeys['locations'] = new Map();
  const ids = new Set<number>();
  const parentIds = new Set<number>();
  const senders = new Set<string>();
  const receiptSenders = new Set<string>();
  const increments: BatchKeys['increments'] = new Map();
  const asRecipients: Recipient[] = [];
  const loginKeys = new Set<string>();
  for (const { domain, sender, id, recipients, claims = [], receipt } of queries) {
    const location = locations.find(domain);
    for (const recipient of recipients ?? []) asRecipients.push(recipient);
    for (const claim of claims) {
      // Most messages name only the login, whose mailbox and domain are read for its limits.
      if (claim !== sender) for (const key of loginKeysOf(claim)) loginKeys.add(key);
    }
    assumed.set(domain, location);
    if (location === undefined) continue;
    ids.add(location.id);
    if (location.parentId !== null) parentIds.add(location.parentId);
    if (sender !== null) senders.add(sender);
    if (sender !== null && receipt === true) receiptSenders.add(sender);
    if (id !== null) increments.set(incrementKey(location.id, id), { domainId: location.id, name: domain, id });
  }
  for (const sender of senders) {
    const name = senderDomain(sender);
    if (name === null || assumed.has(name)) continue;
    const location = locations.find(name);
    assumed.set(name, location);
    if (location !== undefined) ids.add(location.id);
  }
  return {
    locations: assumed,
    ids: [...new Set([...ids, ...parentIds])].sort((left, right) => left - right),
    parentIds: [...parentIds],
    senders: [...senders],
    receiptSenders: [...receiptSenders],
    increments,
    recipients: asRecipients,
    loginKeys,
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

/** What is read of domains whose rows are known. */
interface FactRows {
  /** Of `readPeriod`. */
  periods: readonly Row[];
  /** Of `readCounters`; a missing one reads as 0. */
  counters: readonly Row[];
  /** Of `readPartners`. */
  partners: readonly Row[];
}

/** @param known the domains and their parents. @returns their facts, without mailboxes */
export function factsOf(
  known: readonly Pick<DomainWithParent, 'domain' | 'verification'>[],
  rows: FactRows,
  now: Date,
): LedgerFacts {
  const counters = toCounters(rows.counters);
  const partners = new Map(rows.partners.map((row) => [Number(row.partner_id), partnerFactsOf(row)]));
  const domains: LedgerFacts['domains'] = new Map();
  const byId: LedgerFacts['byId'] = new Map();
  for (const { domain, verification } of known) {
    if (byId.has(domain.id)) continue;
    const own: LedgerDomain = {
      ...ofKnown(domain, verification),
      ...(partners.get(domain.partnerId) ?? NO_TENANT),
      counter: counters.get(domain.id) ?? OutboundCounter.empty(domain.id),
    };
    byId.set(domain.id, own);
    domains.set(domain.name, own);
  }
  const period = periodAt(now, toEpochs(rows.periods[0]));
  return { domains, byId, period, tiers: toTierLimits(rows.periods), mailboxes: new Map(), logins: new Map() };
}

function ofKnown(domain: Domain, verification: Verification): Omit<LedgerDomain, keyof PartnerFacts | 'counter'> {
  return {
    id: domain.id,
    name: domain.name,
    partnerId: domain.partnerId,
    partnerRef: domain.partnerRef,
    partnerStage: domain.partnerStage,
    suspensionCauses: domain.suspensionCauses,
    outboundTier: domain.outboundTier,
    outboundEnforcement: domain.outboundEnforcement,
    outboundStatus: domain.outboundStatus,
    operatorDailyLimit: domain.operatorDailyLimit,
    operatorMonthlyLimit: domain.operatorMonthlyLimit,
    temporaryDailyLimit: domain.temporaryDailyLimit,
    temporaryMonthlyLimit: domain.temporaryMonthlyLimit,
    temporaryLimitsUntil: domain.temporaryLimitsUntil,
    clientDailyLimit: domain.clientDailyLimit,
    clientMonthlyLimit: domain.clientMonthlyLimit,
    transferMonthlyMb: domain.transferMonthlyMb,
    inbound: domain.inbound,
    parentId: domain.parentId,
    inheritedUntil: domain.inheritedUntil,
    verificationStatus: verification.status,
    verificationLostAt: verification.lostAt,
    configurationSet: verification.configurationSet,
    tenantOf: verification.tenantOf,
  };
}

/** @param rows of `readSenderMailboxes` */
export function toMailboxes(rows: readonly Row[], { dayEpoch }: OutboundPeriod): LedgerSnapshot['mailboxes'] {
  return new Map(
    rows.map((row) => {
      const isToday = row.day_epoch !== null && Number(row.day_epoch) === dayEpoch;
      const sentToday = isToday ? Number(row.sent_today) : 0;
      const revokedForMs = row.revoked_for_ms === null ? null : Number(row.revoked_for_ms);
      const receiptsToday = isToday ? Number(row.receipts) : 0;
      const dailyLimit = Number(row.outbound_daily_limit);
      return [String(row.email), { dailyLimit, sentToday, revokedForMs, receiptsToday }];
    }),
  );
}

/** @param rows of `readIncrements` */
export function toIncrements({ increments: ids }: BatchKeys, rows: readonly Row[]): LedgerSnapshot['increments'] {
  const increments: LedgerSnapshot['increments'] = new Map();
  if (rows.length === 0) return increments;
  const packed = new Map(
    rows.map((row) => [hashKey(Number(row.domain_id), bytesOf(row.id_hash)), bytesOf(row.outcome)]),
  );
  for (const [key, { domainId, name, id }] of ids) {
    const outcome = packed.get(hashKey(domainId, hashId(id)));
    if (outcome !== undefined) increments.set(key, unpackIncrement(outcome, name));
  }
  return increments;
}

function hashKey(domainId: number, hash: Buffer): string {
  return incrementKey(domainId, hash.toString('latin1'));
}

/** The driver of SQLite returns an ArrayBuffer. */
function bytesOf(value: unknown): Buffer {
  return Buffer.from(value as ArrayBuffer | Buffer as ArrayBuffer);
}

function toLedgerDomain(row: Row, counter: OutboundCounter): LedgerDomain {
  return {
    id: Number(row.id),
    name: row.name as DomainName,
    partnerId: Number(row.partner_id),
    partnerRef: row.ref === '' ? null : (row.ref as PartnerRef),
    partnerStage: row.stage as LedgerDomain['partnerStage'],
    suspensionCauses: (row.suspension_causes === ''
      ? []
      : String(row.suspension_causes).split(',')) as unknown as SuspensionCauses,
    outboundTier: row.outbound_tier as LedgerDomain['outboundTier'],
    outboundEnforcement: row.outbound_enforcement as LedgerDomain['outboundEnforcement'],
    outboundStatus: row.outbound_status as LedgerDomain['outboundStatus'],
    operatorDailyLimit: row.operator_daily_limit as number | null,
    operatorMonthlyLimit: row.operator_monthly_limit as number | null,
    temporaryDailyLimit: row.temporary_daily_limit as number | null,
    temporaryMonthlyLimit: row.temporary_monthly_limit as number | null,
    temporaryLimitsUntil: dateOrNull(row.temporary_limits_until),
    clientDailyLimit: row.client_daily_limit as number | null,
    clientMonthlyLimit: row.client_monthly_limit as number | null,
    transferMonthlyMb: Number(row.transfer_monthly_mb),
    inbound: row.inbound as LedgerDomain['inbound'],
    parentId: row.parent_id === null ? null : Number(row.parent_id),
    inheritedUntil: dateOrNull(row.inherited_until),
    verificationStatus: row.status as LedgerDomain['verificationStatus'],
    verificationLostAt: dateOrNull(row.lost_at),
    configurationSet: row.configuration_set as string | null,
    tenantOf: row.tenant_partner_id === null ? null : Number(row.tenant_partner_id),
    ...partnerFactsOf(row),
    counter,
  };
}

function partnerFactsOf(row: Row): PartnerFacts {
  return { tenant: toTenant(row), refusesSuppressed: Number(row.refuses_suppressed) === 1 };
}

function toTenant(row: Row): LedgerDomain['tenant'] {
  if (row.tenant_name === null) return null;
  const configurationSet = row.tenant_set as string | null;
  return { name: row.tenant_name as string, configurationSet, pausedSince: dateOrNull(row.paused_since) };
}

export function dateOrNull(value: unknown): Date | null {
  return value === null ? null : new Date(Number(value));
}
