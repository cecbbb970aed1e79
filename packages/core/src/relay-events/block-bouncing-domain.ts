import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import type { BlockReason, Domain } from '../domains/domain.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { Meters } from '../meters.js';
import { needs } from '../needs.js';
import { Notifier } from '../notifications/notifier.js';
import { systemActor } from '../operators/actor.js';
import {
  BounceRuleOptions,
  type BounceWindow,
  bounceRate,
  exceedsBounceRate,
  exceedsComplaintRate,
  rateLimits,
} from '../outbound/bounce-rule.js';
import { UnitOfWork } from '../unit-of-work.js';

/** Blocks the outbound mail of a domain whose bounces or complaints exceed a limit. */
@needs(UnitOfWork, DomainRepository, Notifier, AuditLog, Meters, BounceRuleOptions)
export class BlockBouncingDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly notifier: Notifier,
    private readonly audit: AuditLog,
    private readonly meters: Meters,
    private readonly rule: BounceRuleOptions,
  ) {}

  /**
   * Runs in the caller's unit of work, which must have locked the domain. A domain that is already blocked keeps its
   * reason.
   */
  async execute(domain: Domain, window: BounceWindow, now: Date): Promise<void> {
    if (domain.outboundStatus === 'blocked') return;
    const reason = this.reasonToBlock(window);
    if (reason === null) return;
    domain.block(reason, now);
    await this.domains.save(domain);
    const facts = {
      reason,
      bounces: window.bounces,
      complaints: window.complaints,
      sent: window.sent,
      bounce_rate: bounceRate(window),
      rate_limit: rateLimits(this.rule)[reason === 'bounce_rate' ? 'bounces' : 'complaints'],
    };
    await this.notifier.notify('domain.outbound_blocked', domain, now, facts);
    const change = { before: { outbound_status: 'active' }, after: { outbound_status: 'blocked', ...facts } };
    await this.audit.append(systemActor('bounce-rule'), now, aboutDomain(domain, 'domain.outbound_block', change));
    this.unitOfWork.afterCommit(() => this.meters.blocked(reason));
  }

  private reasonToBlock(window: BounceWindow): Exclude<BlockReason, 'operator'> | null {
    if (exceedsBounceRate(window, this.rule)) return 'bounce_rate';
    return exceedsComplaintRate(window, this.rule) ? 'complaint_rate' : null;
  }
}
