import { RevokeSessions } from '../mail-sessions/revoke-sessions.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { PlanLooks } from '../relay/looks/plan-looks.js';
import { AnnounceLowering } from './announce-lowering.js';
import { ChangeDomain } from './change-domain.js';
import type { Domain, ExternalSenders, InboundState } from './domain.js';
import type { DomainName } from './domain-name.js';
import { DomainOptions } from './domain-options.js';

/**
 * Sets how many days of mail a domain keeps. The purge applies a lower value only after a grace, which is longer for
 * the billing scope.
 */
@needs(ChangeDomain, AnnounceLowering, DomainOptions)
export class SetRetention {
  constructor(
    private readonly changeDomain: ChangeDomain,
    private readonly announceLowering: AnnounceLowering,
    private readonly options: DomainOptions,
  ) {}

  execute(actor: Actor, name: DomainName, retentionDays: number): Promise<Domain> {
    return this.changeDomain.execute(
      actor,
      name,
      'domain.set_retention',
      (domain) => ({ retention_days: domain.retentionDays }),
      async (domain, now) => {
        const { retentionGraceMs, planRetentionGraceMs } = this.options;
        const grace =
          actor.kind === 'operator'
            ? { ms: planRetentionGraceMs, isNotified: true }
            : { ms: retentionGraceMs, isNotified: false };
        const lowered = domain.setRetention(retentionDays, now, grace);
        if (lowered !== null) await this.announceLowering.execute(actor, domain, lowered, now);
      },
    );
  }
}

/** Sets a domain's monthly transfer cap, megabytes. */
@needs(ChangeDomain)
export class SetTransferCap {
  constructor(private readonly changeDomain: ChangeDomain) {}

  execute(actor: Actor, name: DomainName, transferMonthlyMb: number): Promise<Domain> {
    return this.changeDomain.execute(
      actor,
      name,
      'domain.set_transfer_cap',
      (domain) => ({ transfer_monthly_mb: domain.transferMonthlyMb }),
      (domain) => {
        domain.transferMonthlyMb = transferMonthlyMb;
      },
    );
  }
}

/** Opens or closes a domain's inbound mail on the operator's request. */
@needs(ChangeDomain, PlanLooks, RevokeSessions)
export class SetInbound {
  constructor(
    private readonly changeDomain: ChangeDomain,
    private readonly looks: PlanLooks,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  execute(actor: Actor, name: DomainName, inbound: InboundState): Promise<Domain> {
    return this.changeDomain.execute(
      actor,
      name,
      'domain.set_inbound',
      (domain) => ({ inbound: domain.inbound }),
      async (domain) => {
        if (inbound === 'open') {
          if (domain.inbound !== 'open') await this.looks.afterChange(domain.id);
          domain.openInbound();
        } else if (domain.inbound === 'open') {
          domain.inbound = 'pending';
          await this.revokeSessions.of(domain.name, domain.id, actor);
        }
      },
    );
  }
}

/** The settings that a partner changes itself; those that are left out stay. */
export interface DomainUpdate {
  /** The reference of the partner's own system; null removes it. */
  externalRef?: string | null | undefined;
  externalSenders?: ExternalSenders | undefined;
}

/** Changes what a partner sets itself, as one change. */
@needs(ChangeDomain)
export class UpdateDomain {
  constructor(private readonly changeDomain: ChangeDomain) {}

  execute(actor: Actor, name: DomainName, { externalRef, externalSenders }: DomainUpdate): Promise<Domain> {
    return this.changeDomain.execute(
      actor,
      name,
      'domain.update',
      (domain) => ({
        ...(externalRef === undefined ? {} : { external_ref: domain.externalRef }),
        ...(externalSenders === undefined ? {} : { external_senders: domain.externalSenders }),
      }),
      (domain) => {
        if (externalRef !== undefined) domain.externalRef = externalRef;
        if (externalSenders !== undefined) domain.externalSenders = externalSenders;
      },
    );
  }
}
