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

/** A mail domain, of a partner or of no partner, with its settings. Its verification is a separate aggregate. */
export class Domain {
  readonly id!: number;
  readonly name!: DomainName;
  partnerId!: number;
  /** Null for a domain of no partner. Read through a join on `partnerId`, never written. */
  partnerRef!: PartnerRef | null;
  readonly createdAt!: Date;
  plan!: PlanName | null;
  /** Days that mail is kept; 0 is unlimited. */
  retentionDays!: number;
  /** The retention that the purge applies until the grace of the last lowering has ended; see `purgeAfterDays`. */
  retentionDaysBefore!: number;
  retentionLoweredAt!: Date | null;
  /** Megabytes; 0 is unlimited. */
  transferMonthlyMb!: number;
  suspensionCauses!: SuspensionCauses;
  /** Null: the value of the parent, or the default. */
  outboundTier!: OutboundTier | null;
  outboundEnforcement!: OutboundEnforcement | null;
  outboundStatus!: OutboundStatus;
  blockedReason!: BlockReason | null;
  blockedAt!: Date | null;
  /**
   * Bounces before this time do not count. Set by the last unblock, or when a new partner creates a name of another partner.
   */
  bounceWindowStart!: Date | null;
  /** Limits that master set in place of those of the tier; null: the limit of the tier. */
  operatorDailyLimit!: number | null;
  operatorMonthlyLimit!: number | null;
  /** Lower limits that the client set; null: none. */
  clientDailyLimit!: number | null;
  clientMonthlyLimit!: number | null;
  parentId!: number | null;
  wildcardMode!: WildcardMode;
  /** The end of the grace in which the domain counts as verified after it lost its verified parent. */
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

  /**
   * Sets the retention. A lower value takes effect after `graceMs`, so that a mistake can be corrected before mail is
   * removed.
   */
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

  /** @returns the days of mail that a purge keeps now; 0: it purges nothing. */
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

  /** Lifts the block and restarts the bounce window, because otherwise the next bounce would block the domain again. */
  unblock(at: Date): void {
    this.outboundStatus = 'active';
    this.blockedReason = null;
    this.blockedAt = null;
    this.bounceWindowStart = at;
  }

  /** Removes the link to the parent. A child of a verified parent still counts as verified for `ORPHAN_GRACE_MS`. */
  unlink(parentWasVerified: boolean, now: Date): void {
    this.parentId = null;
    if (parentWasVerified) this.inheritedUntil = new Date(now.getTime() + ORPHAN_GRACE_MS);
  }
}

function keepsAtLeast(days: number, otherDays: number): boolean {
  return days === 0 || (otherDays !== 0 && days >= otherDays);
}
