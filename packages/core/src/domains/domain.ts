import { HOUR_MS, utcDay } from '../clock.js';
import type { OutboundEnforcement, OutboundStatus, OutboundTier } from '../outbound/outbound-settings.js';
import type { PartnerRef, PartnerStage } from '../partners/partner.js';
import { messagesOfCauses, type StopMessages, withMessage } from '../partners/stop-messages.js';
import { PLANS, type PlanName } from '../plans/plan.js';
import type { DomainName } from './domain-name.js';
import {
  daysAt,
  isStricter,
  type NotifiedLowering,
  nextReminder,
  type RetentionGrace,
  type RetentionLowering,
  raised,
  withLowering,
} from './retention.js';
import { type SuspensionCause, type SuspensionCauses, withCause } from './suspension.js';
import type { WildcardMode } from './wildcard.js';

/** How long a subdomain counts as verified after it lost its verified parent. */
export const ORPHAN_GRACE_MS = 72 * HOUR_MS;

export type InboundState = 'open' | 'pending';
/** Whether mail with a sender of the domain may come from outside, on port 25 without a login. */
export const EXTERNAL_SENDERS = ['allow', 'refuse'] as const;
export type ExternalSenders = (typeof EXTERNAL_SENDERS)[number];
export const BLOCK_REASONS = ['bounce_rate', 'complaint_rate', 'operator'] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** A mail domain, of a partner or of no partner, with its settings. Its verification is a separate aggregate. */
export class Domain {
  readonly id!: number;
  readonly name!: DomainName;
  partnerId!: number;
  /** Null for a domain of no partner. Read through a join on `partnerId`, never written. */
  partnerRef!: PartnerRef | null;
  /** The stage of its partner's suspension; null while the partner is active. Read like `partnerRef`. */
  partnerStage!: PartnerStage | null;
  readonly createdAt!: Date;
  /** When the domain was last restored after a deletion, as a creation time of its partner; null when it never was. */
  readonly restoredAt!: Date | null;
  /** When the present partner got the domain from another one; null when it created it. */
  heldSince!: Date | null;
  plan!: PlanName | null;
  /** Days that mail is kept; 0 is unlimited. */
  retentionDays!: number;
  /** The retention that the purge applies until the first of `retentionLowerings` begins; see `purgeAfterDays`. */
  retentionDaysBefore!: number;
  /** When the retention was last lowered; null when it was raised to `retentionDaysBefore` or above since. */
  retentionLoweredAt!: Date | null;
  /** The lowerings that led from `retentionDaysBefore` to `retentionDays`, in the order in which they begin. */
  retentionLowerings!: RetentionLowering[];
  /** The first reminder of a lowering that is due; null without one. */
  retentionReminderAt!: Date | null;
  /** Megabytes; 0 is unlimited. */
  transferMonthlyMb!: number;
  suspensionCauses!: SuspensionCauses;
  /** Of its suspension and of its block. Change it with `suspend`, `activate`, `block` and `unblock` only. */
  stopMessages!: StopMessages;
  /** Null: the value of the parent, or the default. */
  outboundTier!: OutboundTier | null;
  outboundEnforcement!: OutboundEnforcement | null;
  outboundStatus!: OutboundStatus;
  blockedReason!: BlockReason | null;
  blockedAt!: Date | null;
  /**
   * Bounces before this time do not count. Set by the last unblock, or when a new partner creates a name of another
   * partner.
   */
  bounceWindowStart!: Date | null;
  /** Limits that master set in place of those of the tier; null: the limit of the tier. */
  operatorDailyLimit!: number | null;
  operatorMonthlyLimit!: number | null;
  /**
   * Limits of the operator that replace the others until `temporaryLimitsUntil`; null: the other limit. They are not
   * removed at that time, so every reader compares it.
   */
  temporaryDailyLimit!: number | null;
  temporaryMonthlyLimit!: number | null;
  temporaryLimitsUntil!: Date | null;
  /** Lower limits that the client set; null: none. */
  clientDailyLimit!: number | null;
  clientMonthlyLimit!: number | null;
  parentId!: number | null;
  wildcardMode!: WildcardMode;
  /** The end of the grace in which the domain counts as verified after it lost its verified parent. */
  inheritedUntil!: Date | null;
  inbound!: InboundState;
  /**
   * Since when a domain that a client created waits to be opened for the first time. Null when it was open before, and
   * when no client created it.
   */
  pendingSince!: Date | null;
  /** When operators were notified that the domain will be removed because it was never open. */
  expiryNotifiedAt!: Date | null;
  /** A reference of the partner's own system; not unique. */
  externalRef!: string | null;
  externalSenders!: ExternalSenders;
  /** The subscription that pays for the domain, at the payment provider; null without one. Clients never see it. */
  billingRef!: string | null;
  /** See `raiseRevision`. */
  revision!: number;
  mailboxCount!: number;
  aliasCount!: number;
  /**
   * The first UTC day whose usage is not written yet, `YYYY-MM-DD`; null in rows of an earlier release. Never written
   * by `save`.
   */
  usageDay!: string | null;
  /** The highest number of mailboxes on `usageDay`. Never written by `save`. */
  usageMailboxes!: number;

  private constructor() {}

  static create(
    values: Pick<Domain, 'name' | 'partnerId' | 'partnerRef' | 'createdAt' | 'inbound' | 'parentId' | 'pendingSince'> &
      Partial<Pick<Domain, 'externalRef' | 'partnerStage'>>,
  ): Domain {
    return Object.assign(new Domain(), {
      id: 0,
      restoredAt: null,
      heldSince: null,
      partnerStage: null,
      plan: null,
      retentionDays: 0,
      retentionDaysBefore: 0,
      retentionLoweredAt: null,
      retentionLowerings: [],
      retentionReminderAt: null,
      transferMonthlyMb: 0,
      suspensionCauses: [],
      stopMessages: {},
      outboundTier: null,
      outboundEnforcement: null,
      outboundStatus: 'active',
      blockedReason: null,
      blockedAt: null,
      bounceWindowStart: null,
      operatorDailyLimit: null,
      operatorMonthlyLimit: null,
      temporaryDailyLimit: null,
      temporaryMonthlyLimit: null,
      temporaryLimitsUntil: null,
      clientDailyLimit: null,
      clientMonthlyLimit: null,
      wildcardMode: 'none',
      inheritedUntil: null,
      expiryNotifiedAt: null,
      externalRef: null,
      externalSenders: 'allow',
      billingRef: null,
      revision: 1,
      mailboxCount: 0,
      aliasCount: 0,
      usageDay: utcDay(values.createdAt),
      usageMailboxes: 0,
      ...values,
    } satisfies Partial<Domain>);
  }

  get status(): 'active' | 'suspended' {
    return this.suspensionCauses.length === 0 ? 'active' : 'suspended';
  }

  /** Whether its mail is stopped, by its own suspension or by that of its partner. */
  get isStopped(): boolean {
    return this.status === 'suspended' || this.partnerStage === 'all';
  }

  /**
   * Sets the retention. Each lowering takes effect after its own grace, so that a mistake can be corrected before mail
   * is removed. A higher value takes effect at once.
   *
   * @returns the lowering that operators are notified of; otherwise null.
   */
  setRetention(days: number, now: Date, grace: RetentionGrace): NotifiedLowering | null {
    if (days === this.retentionDays) return null;
    const retentionDaysBefore = this.retentionDays;
    const inForce = this.purgeAfterDays(now);
    const waiting = this.retentionLowerings.filter(({ from }) => from > now.getTime());
    const isLowered = isStricter(days, this.retentionDays);
    this.retentionDaysBefore = isLowered || isStricter(days, inForce) ? inForce : days;
    this.retentionLowerings = isLowered
      ? withLowering(waiting, days, now.getTime(), grace)
      : raised(this.retentionDaysBefore, waiting, days);
    if (isLowered) this.retentionLoweredAt = now;
    else if (this.retentionLowerings.length === 0) this.retentionLoweredAt = null;
    this.retentionDays = days;
    this.retentionReminderAt = nextReminder(this.retentionLowerings);
    if (!isLowered || !grace.isNotified) return null;
    return { retentionDays: days, retentionDaysBefore, effectiveAt: new Date(now.getTime() + grace.ms) };
  }

  /** @returns the days of mail that a purge keeps now; 0: it purges nothing. */
  purgeAfterDays(now: Date): number {
    const lowerings = this.retentionLowerings;
    const before = lowerings.length === 0 ? this.retentionDays : this.retentionDaysBefore;
    return daysAt(before, lowerings, now.getTime());
  }

  /** @returns the lowerings whose reminder is due, and marks them as reminded. */
  takeReminders(now: Date): NotifiedLowering[] {
    const due: NotifiedLowering[] = [];
    let before = this.retentionDaysBefore;
    for (const lowering of this.retentionLowerings) {
      if (lowering.remindAt !== null && lowering.remindAt <= now.getTime()) {
        due.push({
          retentionDays: lowering.days,
          retentionDaysBefore: before,
          effectiveAt: new Date(lowering.from),
        });
        lowering.remindAt = null;
      }
      before = lowering.days;
    }
    this.retentionReminderAt = nextReminder(this.retentionLowerings);
    return due;
  }

  /** @returns the lowered retention that operators are notified of; otherwise null. */
  applyPlan(name: PlanName, now: Date, grace: RetentionGrace): NotifiedLowering | null {
    const plan = PLANS[name];
    this.plan = name;
    this.transferMonthlyMb = plan.transferMonthlyMb;
    return this.setRetention(plan.retentionDays, now, grace);
  }

  /** Opens inbound mail. A domain that was open once is not removed by `ExpirePendingDomains`. */
  openInbound(): void {
    this.inbound = 'open';
    this.pendingSince = null;
    this.expiryNotifiedAt = null;
  }

  /** @param message what an operator tells the partner; undefined: the present one stays; null: none */
  suspend(cause: SuspensionCause, message?: string | null): void {
    this.suspensionCauses = withCause(this.suspensionCauses, cause);
    this.stopMessages = withMessage(this.stopMessages, cause, message);
  }

  /** Lifts all causes but these, with their messages. */
  activate(remaining: SuspensionCauses): void {
    this.suspensionCauses = remaining;
    this.stopMessages = messagesOfCauses(this.stopMessages, remaining);
  }

  block(reason: BlockReason, at: Date): void {
    this.outboundStatus = 'blocked';
    this.blockedReason = reason;
    this.blockedAt = at;
  }

  /** @param message what an operator tells the partner about the block; null: nothing */
  explainBlock(message: string | null): void {
    this.stopMessages = withMessage(this.stopMessages, 'block', message);
  }

  /** Lifts the block and restarts the bounce window, because otherwise the next bounce would block the domain again. */
  unblock(at: Date): void {
    this.outboundStatus = 'active';
    this.blockedReason = null;
    this.blockedAt = null;
    this.explainBlock(null);
    this.bounceWindowStart = at;
  }

  /** Removes the link to the parent. A child of a verified parent still counts as verified for `ORPHAN_GRACE_MS`. */
  unlink(parentWasVerified: boolean, now: Date): void {
    this.parentId = null;
    if (parentWasVerified) this.inheritedUntil = new Date(now.getTime() + ORPHAN_GRACE_MS);
  }
}

/** Whether a domain has no mailbox and no alias. */
export function isEmpty({ mailboxCount, aliasCount }: Pick<Domain, 'mailboxCount' | 'aliasCount'>): boolean {
  return mailboxCount + aliasCount === 0;
}
