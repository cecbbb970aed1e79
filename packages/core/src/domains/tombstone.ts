import { DAY_MS } from '../clock.js';
import type { Domain } from './domain.js';
import type { AncestorDomain } from './domain-repository.js';
import { withoutCause } from './suspension.js';

/** How long the former partner of a name is stored. */
export const TOMBSTONE_MS = 90 * DAY_MS;

/** The stored data of a partner's domain that was deleted or moved to another partner. */
export interface Tombstone {
  id: number;
  /** The id under which the outbound tables keep its counters; see `TombstoneRepository.handOver`. */
  countersId: number;
  /** The complete row as it was; `partnerRef` and `partnerStage` are null. */
  domain: Domain;
  /** Null when an earlier release, which did not store it, wrote the tombstone. */
  ownership: { token: string; required: boolean; seen: boolean } | null;
}

/** The former partners of a name. */
export interface NameHistory {
  /** The partner's own last tombstone, at most 90 days old and not taken over by a later domain. */
  own: Tombstone | null;
  /** The last partner of the name and when it deleted or lost the name; null when not known. */
  last: { partnerId: number; leftAt: Date } | null;
}

export function isRemembered(leftAt: Date, now: Date): boolean {
  return now.getTime() < leftAt.getTime() + TOMBSTONE_MS;
}

type StoredField = Exclude<
  { [Field in keyof Domain]: Domain[Field] extends (...args: never[]) => unknown ? never : Field }[keyof Domain],
  'status' | 'isStopped' | 'partnerRef' | 'partnerStage'
>;

/**
 * The fields that a partner gets back when it creates the name again: those that operators set, and the block and
 * bounce window that its mail caused. Settings that the partner can set again are not restored. The table lists every
 * field, so that a new field of `Domain` does not compile until it is added here.
 */
const IS_RESTORED: Record<StoredField, boolean> = {
  id: false,
  name: false,
  partnerId: false,
  createdAt: false,
  restoredAt: false,
  heldSince: false,
  plan: true,
  retentionDays: true,
  retentionDaysBefore: true,
  retentionLoweredAt: true,
  retentionLowerings: true,
  retentionReminderAt: true,
  transferMonthlyMb: true,
  suspensionCauses: true,
  stopMessages: true,
  outboundTier: true,
  outboundEnforcement: true,
  outboundStatus: true,
  blockedReason: true,
  blockedAt: true,
  bounceWindowStart: true,
  operatorDailyLimit: true,
  operatorMonthlyLimit: true,
  temporaryDailyLimit: true,
  temporaryMonthlyLimit: true,
  temporaryLimitsUntil: true,
  clientDailyLimit: false,
  clientMonthlyLimit: false,
  parentId: false,
  wildcardMode: true,
  inheritedUntil: false,
  inbound: false,
  pendingSince: false,
  expiryNotifiedAt: false,
  externalRef: false,
  externalSenders: false,
  billingRef: false,
  revision: false,
  mailboxCount: false,
  aliasCount: false,
  usageDay: false,
  usageMailboxes: false,
};

/**
 * Copies to a new domain the values that its partner must not remove by deleting and creating the domain. Call it after
 * `parentId` is set.
 */
export function inheritFromTombstone(domain: Domain, { domain: former }: Tombstone): void {
  const fields = (Object.keys(IS_RESTORED) as StoredField[]).filter((field) => IS_RESTORED[field]);
  Object.assign(domain, Object.fromEntries(fields.map((field) => [field, former[field]])));
  domain.activate(withoutCause(former.suspensionCauses, 'partner'));
  // A form of the former domain must not match this one.
  domain.revision = Math.max(domain.revision, former.revision + 1);
  // A domain that is linked to a parent cannot be a wildcard parent.
  if (domain.parentId !== null) domain.wildcardMode = 'none';
}

/**
 * Whether the former domain still had to prove its ownership. Deleting and creating the domain again does not remove
 * that requirement.
 */
export function isProofMissing(own: Tombstone | null): boolean {
  return own?.ownership?.required === true && !own.ownership.seen && own.domain.inbound === 'pending';
}

/**
 * @returns the parent of the former domain when it still belongs to the partner and is not linked to a parent itself;
 * otherwise null.
 */
export function formerParent(
  own: Tombstone | null,
  partnerId: number,
  ancestors: AncestorDomain[],
): AncestorDomain | null {
  if (own === null || own.domain.parentId === null) return null;
  const former = ancestors.find(({ id }) => id === own.domain.parentId);
  return former !== undefined && former.partnerId === partnerId && former.parentId === null ? former : null;
}
