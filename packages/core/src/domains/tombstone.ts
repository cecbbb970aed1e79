import { DAY_MS } from '../clock.js';
import type { Domain } from './domain.js';

/** How long a deleted name remembers who had it. */
export const TOMBSTONE_MS = 90 * DAY_MS;

/** What a partner left behind of a name: by deleting the domain, or when the domain was moved to another partner. */
export interface Tombstone {
  id: number;
  /** Where the outbound tables keep its counters; see `TombstoneRepository.handOver`. */
  countersId: number;
  /** The whole row as it was; `partnerRef` is null. */
  domain: Domain;
  /** Null where an earlier release did not keep it. */
  ownership: { token: string; required: boolean; seen: boolean } | null;
}

/** What is known of a name. */
export interface NameHistory {
  /** The partner's own last tombstone within 90 days that no later domain of it took over. */
  own: Tombstone | null;
  /** Who had the name last, and when it was left; null when nothing is known. */
  last: { partnerId: number; leftAt: Date } | null;
}

export function isRemembered(leftAt: Date, now: Date): boolean {
  return now.getTime() < leftAt.getTime() + TOMBSTONE_MS;
}

type StoredField = Exclude<
  { [Field in keyof Domain]: Domain[Field] extends (...args: never[]) => unknown ? never : Field }[keyof Domain],
  'status' | 'partnerRef'
>;

/**
 * Which fields of its former domain a partner gets back when it creates the name again: what operators set and what was
 * found out about its mail. Its own settings, which it may set again, are not among them. Total, so that a new field of
 * a domain does not compile before it is decided.
 */
const COMES_BACK: Record<StoredField, boolean> = {
  id: false,
  name: false,
  partnerId: false,
  createdAt: false,
  plan: true,
  retentionDays: true,
  retentionDaysBefore: true,
  retentionLoweredAt: true,
  transferMonthlyMb: true,
  suspensionCauses: true,
  outboundTier: true,
  outboundEnforcement: true,
  outboundStatus: true,
  blockedReason: true,
  blockedAt: true,
  bounceWindowStart: true,
  operatorDailyLimit: true,
  operatorMonthlyLimit: true,
  clientDailyLimit: false,
  clientMonthlyLimit: false,
  parentId: false,
  wildcardMode: true,
  inheritedUntil: false,
  inbound: false,
  mailboxCount: false,
  aliasCount: false,
};

/** Gives a new domain what its partner may not shed by deleting and creating. Its parent is set before. */
export function inheritFromTombstone(domain: Domain, { domain: former }: Tombstone): void {
  const fields = (Object.keys(COMES_BACK) as StoredField[]).filter((field) => COMES_BACK[field]);
  Object.assign(domain, Object.fromEntries(fields.map((field) => [field, former[field]])));
  domain.suspensionCauses = former.suspensionCauses.filter((cause) => cause !== 'partner');
  // A linked domain is nobody's wildcard parent.
  if (domain.parentId !== null) domain.wildcardMode = 'none';
}
