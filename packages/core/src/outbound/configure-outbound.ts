import type { ChangeDomain } from '../domains/change-domain.js';
import type { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import { AppError } from '../errors.js';
import type { Notifier } from '../notifications/notifier.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import type { OutboundLedger } from './outbound-ledger.js';
import {
  type OutboundEnforcement,
  type OutboundStatus,
  type OutboundTier,
  operatorLimits,
  type TierLimits,
} from './outbound-settings.js';
import type { TierRepository } from './tier-repository.js';

/** Fields that are left out stay as they are. */
export interface OutboundChange {
  /** Null: the value of the parent, or the default. */
  outboundTier?: OutboundTier | null | undefined;
  outboundEnforcement?: OutboundEnforcement | null | undefined;
  outboundStatus?: OutboundStatus | undefined;
  /**
   * Set by master: the limit that replaces the limit of the tier; null: the limit of the tier. Set by a client: its own
   * limit; null: none.
   */
  dailyLimit?: number | null | undefined;
  monthlyLimit?: number | null | undefined;
}

/**
 * Changes the outbound settings of a domain. The limits of the operator and of the client are stored separately; the lower
 * one applies.
 */
export class ConfigureOutbound {
  constructor(
    private readonly changeDomain: ChangeDomain,
    private readonly domains: DomainRepository,
    private readonly tiers: TierRepository,
    private readonly ledger: OutboundLedger,
    private readonly notifier: Notifier,
  ) {}

  /** @throws AppError outbound_fields_forbidden, outbound_limit_above_operator, domain_not_found */
  async execute(actor: Actor, name: DomainName, change: OutboundChange): Promise<Domain> {
    const found = await this.domains.findWithParent(scopeOf(actor), name);
    if (found === null) throw new AppError('domain_not_found');
    const isClient = actor.kind === 'client';
    if (isClient && touchesOperatorFields(change)) throw new AppError('outbound_fields_forbidden');
    return this.changeDomain.execute(actor, name, 'domain.configure_outbound', show, async (domain, now) => {
      if (isClient) {
        setClientLimits(domain, found.parent?.domain ?? null, change, await this.tiers.list());
      } else {
        setOperatorFields(domain, change);
        await this.setStatus(domain, change.outboundStatus, now);
      }
    });
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

function touchesOperatorFields({ outboundTier, outboundEnforcement, outboundStatus }: OutboundChange): boolean {
  return outboundTier !== undefined || outboundEnforcement !== undefined || outboundStatus !== undefined;
}

function setOperatorFields(domain: Domain, change: OutboundChange): void {
  if (change.outboundTier !== undefined) domain.outboundTier = change.outboundTier;
  if (change.outboundEnforcement !== undefined) domain.outboundEnforcement = change.outboundEnforcement;
  if (change.dailyLimit !== undefined) domain.operatorDailyLimit = change.dailyLimit;
  if (change.monthlyLimit !== undefined) domain.operatorMonthlyLimit = change.monthlyLimit;
}

function setClientLimits(
  domain: Domain,
  parent: Domain | null,
  { dailyLimit, monthlyLimit }: OutboundChange,
  tiers: TierLimits,
): void {
  const operator = operatorLimits(domain, parent, tiers);
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

function show(domain: Domain): Record<string, unknown> {
  return {
    outbound_tier: domain.outboundTier,
    outbound_enforcement: domain.outboundEnforcement,
    outbound_status: domain.outboundStatus,
    operator_daily_limit: domain.operatorDailyLimit,
    operator_monthly_limit: domain.operatorMonthlyLimit,
    client_daily_limit: domain.clientDailyLimit,
    client_monthly_limit: domain.clientMonthlyLimit,
  };
}
