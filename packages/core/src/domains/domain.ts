import { HOUR_MS } from '../clock.js';
import type { OutboundEnforcement, OutboundStatus, OutboundTier } from '../outbound/outbound-settings.js';
import type { PartnerRef } from '../partners/partner.js';
import { PLANS, type PlanName } from '../plans/plan.js';
import type { DomainName } from './domain-name.js';
import type { SuspensionCauses } from './suspension.js';
import type { WildcardMode } from './wildcard.js';

/** How long a subdomain counts as verified after it lost its verified parent. */
export const ORPHAN_GRACE_MS = 72 * HOUR_MS;

export type InboundState = 'open' | 'pending';
export type BlockReason = 'bounce_rate' | 'complaint_rate' | 'operator';

/** A mail domain of a partner (or of none), with everything that is set on it. Verification is its own aggregate. */
export class Domain {
  readonly id!: number;
  readonly name!: DomainName;
  partnerId!: number;
  /** Null for a domain of no partner. Follows `partnerId`; joined on reading, never written. */
  partnerRef!: PartnerRef | null;
  readonly createdAt!: Date;
  plan!: PlanName | null;
  /** Days that mail is kept; 0 is for ever. */
  retentionDays!: number;
  /** What the purge keeps to until the grace of the last lowering is over; see `purgeAfterDays`. */
  retentionDaysBefore!: number;
  retentionLoweredAt!: Date | null;
  /** Megabytes; 0 is unlimited. */
  transferMonthlyMb!: number;
  suspensionCauses!: SuspensionCauses;
  /** Null inherits from the parent, or is the default. */
  outboundTier!: OutboundTier | null;
  outboundEnforcement!: OutboundEnforcement | null;
  outboundStatus!: OutboundStatus;
  blockedReason!: BlockReason | null;
  blockedAt!: Date | null;
  /** Bounces before this moment do not count any more: the last unblock. */
  bounceWindowStart!: Date | null;
  /** Master's override of the tier's limits; null is the tier's. */
  operatorDailyLimit!: number | null;
  operatorMonthlyLimit!: number | null;
  /** The client's own, lower limits; null is none. */
  clientDailyLimit!: number | null;
  clientMonthlyLimit!: number | null;
  parentId!: number | null;
  wildcardMode!: WildcardMode;
  /** Until when it still counts as verified after its verified parent went away. */
  inheritedUntil!: Date | null;
  inbound!: InboundState;
  mailboxCount!: number;
  aliasCount!: number;

  private constructor() {}

  static create(
    values: Pick<Domain, 'name' | 'partnerId' | 'partnerRef' | 'createdAt' | 'inbound' | 'parentId'>,
  ): Domain {
    return Object.assign(new Domain(), {
      id: 0,
      plan: null,
      retentionDays: 0,
      retentionDaysBefore: 0,
      retentionLoweredAt: null,
      transferMonthlyMb: 0,
      suspensionCauses: [],
      outboundTier: null,
      outboundEnforcement: null,
      outboundStatus: 'active',
      blockedReason: null,
      blockedAt: null,
      bounceWindowStart: null,
      operatorDailyLimit: null,
      operatorMonthlyLimit: null,
      clientDailyLimit: null,
      clientMonthlyLimit: null,
      wildcardMode: 'none',
      inheritedUntil: null,
      mailboxCount: 0,
      aliasCount: 0,
      ...values,
    } satisfies Partial<Domain>);
  }

  get status(): 'active' | 'suspended' {
    return this.suspensionCauses.length === 0 ? 'active' : 'suspended';
  }

  /** Sets the retention. A lower one takes effect after `graceMs`, so that a mistake can be undone before mail is lost. */
  setRetention(days: number, now: Date, graceMs: number): void {
    const stricter = days !== 0 && (this.retentionDays === 0 || days < this.retentionDays);
    if (stricter) {
      this.retentionDaysBefore = this.purgeAfterDays(now, graceMs);
      this.retentionLoweredAt = now;
    } else if (this.retentionLoweredAt !== null && keepsAtLeast(days, this.retentionDaysBefore)) {
      this.retentionLoweredAt = null;
    }
    this.retentionDays = days;
  }

  /** How many days of mail a purge leaves now; 0 purges nothing. */
  purgeAfterDays(now: Date, graceMs: number): number {
    const inGrace = this.retentionLoweredAt !== null && now.getTime() < this.retentionLoweredAt.getTime() + graceMs;
    return inGrace ? this.retentionDaysBefore : this.retentionDays;
  }

  applyPlan(name: PlanName, now: Date, graceMs: number): void {
    const plan = PLANS[name];
    this.plan = name;
    this.transferMonthlyMb = plan.transferMonthlyMb;
    this.setRetention(plan.retentionDays, now, graceMs);
  }

  block(reason: BlockReason, at: Date): void {
    this.outboundStatus = 'blocked';
    this.blockedReason = reason;
    this.blockedAt = at;
  }

  /** Lifts the block and restarts the bounce window, or the next bounce would block it again. */
  unblock(at: Date): void {
    this.outboundStatus = 'active';
    this.blockedReason = null;
    this.blockedAt = null;
    this.bounceWindowStart = at;
  }

  /** Removes the link to the parent. A child of a verified parent counts as verified for `ORPHAN_GRACE_MS` more. */
  unlink(parentWasVerified: boolean, now: Date): void {
    this.parentId = null;
    if (parentWasVerified) this.inheritedUntil = new Date(now.getTime() + ORPHAN_GRACE_MS);
  }
}

function keepsAtLeast(days: number, otherDays: number): boolean {
  return days === 0 || (otherDays !== 0 && days >= otherDays);
}
