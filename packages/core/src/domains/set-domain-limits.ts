import type { Actor } from '../operators/actor.js';
import type { ChangeDomain } from './change-domain.js';
import type { Domain, InboundState } from './domain.js';
import type { DomainName } from './domain-name.js';

/** Sets how many days of mail a domain keeps. The purge applies a lower value only after a grace. */
export class SetRetention {
  constructor(
    private readonly changeDomain: ChangeDomain,
    private readonly options: { retentionGraceMs: number },
  ) {}

  execute(actor: Actor, name: DomainName, retentionDays: number): Promise<Domain> {
    return this.changeDomain.execute(
      actor,
      name,
      'domain.set_retention',
      (domain) => ({ retention_days: domain.retentionDays }),
      (domain, now) => domain.setRetention(retentionDays, now, this.options.retentionGraceMs),
    );
  }
}

/** Sets a domain's monthly transfer cap, megabytes. */
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
export class SetInbound {
  constructor(private readonly changeDomain: ChangeDomain) {}

  execute(actor: Actor, name: DomainName, inbound: InboundState): Promise<Domain> {
    return this.changeDomain.execute(
      actor,
      name,
      'domain.set_inbound',
      (domain) => ({ inbound: domain.inbound }),
      (domain) => {
        domain.inbound = inbound;
      },
    );
  }
}
