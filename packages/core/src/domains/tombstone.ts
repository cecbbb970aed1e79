import { DAY_MS } from '../clock.js';
import type { Mailbox } from '../mailboxes/mailbox.js';
import type { Actor } from '../operators/actor.js';
import type { Domain } from './domain.js';
import type { DomainName } from './domain-name.js';

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

/** Who deletes, when, and until when it can be restored. */
export interface Deletion {
  actor: Actor;
  at: Date;
  expiresAt: Date;
}

/**
 * What deletion leaves. Rows are moved aside whole, in the unit of work of the deletion, in statements of a bounded number
 * of rows, so that a restoration finds everything as it was. Partner and domain are locked by the caller.
 */
export abstract class TombstoneRepository {
  /**
   * Who had the name before. Asked after the new domain of that name was added: its unique name then
   * keeps everybody else from creating or deleting one until the end of the unit of work.
   */
  abstract ofName(name: DomainName, partnerId: number, now: Date): Promise<NameHistory>;
  /** Moves the domain aside with its verification, its mailboxes, its aliases, and the aliases elsewhere that deliver to it. */
  abstract moveDomainAside(domain: Domain, deletion: Deletion): Promise<void>;
  /** Moves the mailbox aside with the aliases that deliver to it. @returns how many aliases. */
  abstract moveMailboxAside(mailbox: Mailbox, partnerId: number, deletion: Deletion): Promise<number>;
  /**
   * What the partner's last mailbox of that address might send a day, while its row is kept; null when none is. A limit
   * that an operator set is not lost by deleting and creating.
   */
  abstract lastDailyLimit(email: string, partnerId: number): Promise<number | null>;
  /** Before a move to another partner: keeps what the present partner leaves, with a copy of the counters of now. */
  abstract keepMoved(domain: Domain, actor: Actor, at: Date): Promise<void>;
  /**
   * The new domain takes over the tombstone's counters. It and all older tombstones of the same partner and name are used up:
   * none is anybody's `own` again.
   */
  abstract handOver(tombstone: Tombstone, heir: Domain): Promise<void>;
  /** What the parent's partner left behind of domains that were linked to it, and that no later domain took over. */
  abstract ofChildren(parent: Domain): Promise<Tombstone[]>;
  /** Writes the suspension and the block of the kept domain. */
  abstract saveHolds(tombstone: Tombstone): Promise<void>;
  /** Notes in the tombstones of other partners, of the name and of mailboxes of this domain, that another partner has it now. */
  abstract noteHolder(domain: Domain, at: Date): Promise<void>;
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
