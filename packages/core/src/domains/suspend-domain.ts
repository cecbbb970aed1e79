import { AppError } from '../errors.js';
import { RevokeSessions } from '../mail-sessions/revoke-sessions.js';
import { needs } from '../needs.js';
import { Notifier } from '../notifications/notifier.js';
import type { Actor } from '../operators/actor.js';
import { shownMessages } from '../partners/stop-messages.js';
import { ChangeDomain } from './change-domain.js';
import type { Domain } from './domain.js';
import type { DomainName } from './domain-name.js';
import { type SuspensionCause, type SuspensionCauses, withoutCause } from './suspension.js';

const causesOf = ({ suspensionCauses }: Domain) => ({ suspension_causes: suspensionCauses });
const show = (domain: Domain) => ({ ...causesOf(domain), ...shownMessages(domain) });

export interface SuspendDomainCommand {
  /**
   * The cause that master sets; `operator` when undefined. Clients always set `partner`, the billing scope always sets
   * `billing`.
   */
  cause: SuspensionCause | undefined;
  /** What master tells the partner about this cause; undefined: that stays as it is; null: nothing. */
  message?: string | null | undefined;
}

/** Stops a domain's mail by adding a suspension cause. Data and settings are kept. */
@needs(ChangeDomain, RevokeSessions, Notifier)
export class SuspendDomain {
  constructor(
    private readonly changeDomain: ChangeDomain,
    private readonly revokeSessions: RevokeSessions,
    private readonly notifier: Notifier,
  ) {}

  execute(actor: Actor, name: DomainName, { cause, message }: SuspendDomainCommand): Promise<Domain> {
    const change = async (domain: Domain, now: Date) => {
      const { status: statusBefore, suspensionCauses: before } = domain;
      domain.suspend(causeOf(actor, cause), message);
      if (statusBefore === 'active') {
        await this.revokeSessions.of(domain.name, domain.id, actor);
        await this.notifier.notify('domain.suspended', domain, now, causesOf(domain));
      }
      // A suspension for abuse also stops the domains that are linked to this one.
      if (domain.suspensionCauses.includes('abuse') && !before.includes('abuse')) {
        await this.revokeSessions.ofStoppedDomains(actor);
      }
    };
    return this.changeDomain.execute(actor, name, 'domain.suspend', show, change, (before, after) =>
      String(before.suspension_causes) === String(after.suspension_causes) ? 'domain.updated' : undefined,
    );
  }
}

/** Removes suspension causes. The domain stays suspended while other causes remain. */
@needs(ChangeDomain, Notifier)
export class ActivateDomain {
  constructor(
    private readonly changeDomain: ChangeDomain,
    private readonly notifier: Notifier,
  ) {}

  /**
   * @param cause the cause that master removes; undefined removes all causes.
   * @throws AppError domain_not_found; suspended_by_operator when a client calls and `partner` is not among the causes.
   */
  execute(actor: Actor, name: DomainName, cause: SuspensionCause | undefined): Promise<Domain> {
    return this.changeDomain.execute(actor, name, 'domain.activate', show, async (domain, now) => {
      const statusBefore = domain.status;
      domain.activate(lift(actor, domain.suspensionCauses, cause));
      if (statusBefore === 'suspended' && domain.status === 'active') {
        await this.notifier.notify('domain.activated', domain, now, causesOf(domain));
      }
    });
  }
}

function causeOf(actor: Actor, cause: SuspensionCause | undefined): SuspensionCause {
  if (actor.kind === 'client') return 'partner';
  if (actor.kind === 'operator') return 'billing';
  return cause ?? 'operator';
}

function lift(actor: Actor, causes: SuspensionCauses, cause: SuspensionCause | undefined): SuspensionCauses {
  if (actor.kind === 'client') {
    if (causes.length > 0 && !causes.includes('partner')) {
      throw new AppError('suspended_by_operator', { members: { suspension_causes: causes } });
    }
    return withoutCause(causes, 'partner');
  }
  if (actor.kind === 'operator') return withoutCause(causes, 'billing');
  return cause === undefined ? [] : withoutCause(causes, cause);
}
