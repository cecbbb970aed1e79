import type { EventType } from '../audit/event-types.js';
import { zonelessTime } from '../clock.js';
import { ChangeDomain, type Shown } from '../domains/change-domain.js';
import type { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { AppError, invalidField } from '../errors.js';
import { needs } from '../needs.js';
import { Notifier } from '../notifications/notifier.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { shownMessages } from '../partners/stop-messages.js';
import { OutboundLedger } from './outbound-ledger.js';
import {
  type OutboundEnforcement,
  type OutboundStatus,
  type OutboundTier,
  operatorLimits,
  type TierLimits,
} from './outbound-settings.js';
import { TierRepository } from './tier-repository.js';

/** Fields that are left out stay as they are. */
export interface OutboundChange {
  /** Null: the value of the parent, or the default. */
  outboundTier?: OutboundTier | null | undefined;
  outboundEnforcement?: OutboundEnforcement | null | undefined;
  outboundStatus?: OutboundStatus | undefined;
  /** Only by master: what it tells the partner about the block; null: nothing. */
  message?: string | null | undefined;
  /**
   * Set by master: the limit that replaces the limit of the tier; null: the limit of the tier. Set by a client: its own
   * limit; null: none.
   */
  dailyLimit?: number | null | undefined;
  monthlyLimit?: number | null | undefined;
  /**
   * Only by master. A time: the limits of this change hold until then, beside those without a time; one that is left
   * out or null stays as it is without them. Null: limits for a time end now.
   */
  until?: Date | null | undefined;
}

/**
 * Changes the outbound settings of a domain. The limits of the operator and of the client are stored separately; the
 * lower one applies.
 */
@needs(ChangeDomain, DomainRepository, TierRepository, OutboundLedger, Notifier)
export class ConfigureOutbound {
  constructor(
    private readonly changeDomain: ChangeDomain,
    private readonly domains: DomainRepository,
    private readonly tiers: TierRepository,
    private readonly ledger: OutboundLedger,
    private readonly notifier: Notifier,
  ) {}

  /** @throws AppError outbound_fields_forbidden, outbound_limit_above_operator, domain_not_found, validation_failed */
  async execute(actor: Actor, name: DomainName, change: OutboundChange): Promise<Domain> {
    const found = await this.domains.findWithParent(scopeOf(actor), name);
    if (found === null) throw new AppError('domain_not_found');
    const isClient = actor.kind === 'client';
    if (isClient && touchesOperatorFields(change)) throw new AppError('outbound_fields_forbidden');
    return this.changeDomain.execute(
      actor,
      name,
      'domain.configure_outbound',
      show,
      async (domain, now) => {
        if (isClient) {
          setClientLimits(domain, found.parent?.domain ?? null, change, await this.tiers.list(), now);
        } else {
          setOperatorFields(domain, change, now);
          await this.setStatus(domain, change.outboundStatus, now);
          explainBlock(domain, change.message);
        }
      },
      eventType,
    );
  }

  private async setStatus(domain: Domain, status: OutboundStatus | undefined, now: Date): Promise<void> {
    if (status === undefined || status === domain.outboundStatus) return;
    if (status === 'active') {
      domain.unblock(now);
      await this.ledger.restartBounceWindow(domain.id, now);
    } else {
      domain.block('operator', now);
      await this.notifier.notify('domain.outbound_blocked', domain, now, { reason: 'operator' });
    }
  }
}

function touchesOperatorFields(change: OutboundChange): boolean {
  const { outboundTier, outboundEnforcement, outboundStatus, message, until } = change;
  return [outboundTier, outboundEnforcement, outboundStatus, message, until].some((field) => field !== undefined);
}

function setOperatorFields(domain: Domain, change: OutboundChange, now: Date): void {
  if (change.outboundTier !== undefined) domain.outboundTier = change.outboundTier;
  if (change.outboundEnforcement !== undefined) domain.outboundEnforcement = change.outboundEnforcement;
  const { dailyLimit, monthlyLimit, until } = change;
  if (until instanceof Date) {
    setTemporaryLimits(domain, { dailyLimit: dailyLimit ?? null, monthlyLimit: monthlyLimit ?? null }, until, now);
    return;
  }
  if (until === null) domain.temporaryLimitsUntil = null;
  if (dailyLimit !== undefined) domain.operatorDailyLimit = dailyLimit;
  if (monthlyLimit !== undefined) domain.operatorMonthlyLimit = monthlyLimit;
}

/** @throws AppError validation_failed */
function explainBlock(domain: Domain, message: string | null | undefined): void {
  if (message === undefined) return;
  if (message !== null && domain.outboundStatus !== 'blocked') {
    throw invalidField('message', 'must be left out, or null, while the domain is not blocked');
  }
  domain.explainBlock(message);
}

/** @throws AppError validation_failed */
function setTemporaryLimits(
  domain: Domain,
  { dailyLimit, monthlyLimit }: Record<'dailyLimit' | 'monthlyLimit', number | null>,
  until: Date,
  now: Date,
): void {
  if (until <= now) throw invalidField('until', 'must be in the future');
  if (dailyLimit === null && monthlyLimit === null) {
    throw invalidField('until', 'needs the daily_limit or monthly_limit that holds until then');
  }
  domain.temporaryDailyLimit = dailyLimit;
  domain.temporaryMonthlyLimit = monthlyLimit;
  domain.temporaryLimitsUntil = until;
}

function setClientLimits(
  domain: Domain,
  parent: Domain | null,
  { dailyLimit, monthlyLimit }: OutboundChange,
  tiers: TierLimits,
  now: Date,
): void {
  const operator = operatorLimits(domain, parent, tiers, now);
  refuseAbove(dailyLimit, operator.dailyLimit, 'daily_limit');
  refuseAbove(monthlyLimit, operator.monthlyLimit, 'monthly_limit');
  if (dailyLimit !== undefined) domain.clientDailyLimit = dailyLimit;
  if (monthlyLimit !== undefined) domain.clientMonthlyLimit = monthlyLimit;
}

/**
 * Unlimited (0) counts as higher than every number.
 * @throws AppError outbound_limit_above_operator
 */
function refuseAbove(limit: number | null | undefined, operator: number, field: string): void {
  if (limit === null || limit === undefined || operator === 0) return;
  if (limit === 0 || limit > operator) {
    throw new AppError('outbound_limit_above_operator', {
      detail: `${field} is above what the operator allows (${operator})`,
    });
  }
}

/** A block and its end are events of their own, whatever else the request changes. */
function eventType({ outbound_status: before }: Shown, { outbound_status: after }: Shown): EventType | undefined {
  if (before === after) return undefined;
  return after === 'blocked' ? 'domain.outbound_blocked' : 'domain.outbound_unblocked';
}

function show(domain: Domain): Shown {
  return {
    outbound_tier: domain.outboundTier,
    outbound_enforcement: domain.outboundEnforcement,
    outbound_status: domain.outboundStatus,
    ...shownMessages(domain),
    operator_daily_limit: domain.operatorDailyLimit,
    operator_monthly_limit: domain.operatorMonthlyLimit,
    temporary_daily_limit: domain.temporaryDailyLimit,
    temporary_monthly_limit: domain.temporaryMonthlyLimit,
    temporary_limits_until: domain.temporaryLimitsUntil === null ? null : zonelessTime(domain.temporaryLimitsUntil),
    client_daily_limit: domain.clientDailyLimit,
    client_monthly_limit: domain.clientMonthlyLimit,
  };
}
