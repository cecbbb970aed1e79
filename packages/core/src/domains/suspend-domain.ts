import { AppError } from '../errors.js';
import type { Notifier } from '../notifications/notifier.js';
import type { Actor } from '../operators/actor.js';
import type { ChangeDomain } from './change-domain.js';
import type { Domain } from './domain.js';
import type { DomainName } from './domain-name.js';
import {
  type OperatorCause,
  type SuspensionCause,
  type SuspensionCauses,
  withCause,
  withoutCause,
} from './suspension.js';

const show = (domain: Domain) => ({ suspension_causes: domain.suspensionCauses });

/** Freezes a domain's mail: the cause is added to its set. Data and settings stay. */
export class SuspendDomain {
  constructor(
    private readonly changeDomain: ChangeDomain,
    private readonly notifier: Notifier,
  ) {}

  /** @param cause master's choice; the billing scope and clients have their own. */
  execute(actor: Actor, name: DomainName, cause: OperatorCause | undefined): Promise<Domain> {
    return this.changeDomain.execute(actor, name, 'domain.suspend', show, async (domain, now) => {
      const was = domain.status;
      domain.suspensionCauses = withCause(domain.suspensionCauses, causeOf(actor, cause));
      if (was === 'active') await this.notifier.notify('domain.suspended', domain, now, show(domain));
    });
  }
}

/** Lifts suspension causes and answers the true state, which may still be suspended. */
export class ActivateDomain {
  constructor(
    private readonly changeDomain: ChangeDomain,
    private readonly notifier: Notifier,
  ) {}

  /**
   * @param cause what master lifts; without it master lifts all.
   * @throws AppError suspended_by_operator when a client lifts nothing and other causes stand.
   */
  execute(actor: Actor, name: DomainName, cause: OperatorCause | undefined): Promise<Domain> {
    return this.changeDomain.execute(actor, name, 'domain.activate', show, async (domain, now) => {
      const was = domain.status;
      domain.suspensionCauses = lift(actor, domain.suspensionCauses, cause);
      if (was === 'suspended' && domain.status === 'active') {
        await this.notifier.notify('domain.activated', domain, now, show(domain));
      }
    });
  }
}

function causeOf(actor: Actor, cause: OperatorCause | undefined): SuspensionCause {
  if (actor.kind === 'client') return 'partner';
  if (actor.kind === 'operator') return 'billing';
  return cause ?? 'operator';
}

function lift(actor: Actor, causes: SuspensionCauses, cause: OperatorCause | undefined): SuspensionCauses {
  if (actor.kind === 'client') {
    if (causes.length > 0 && !causes.includes('partner')) throw new AppError('suspended_by_operator');
    return withoutCause(causes, 'partner');
  }
  if (actor.kind === 'operator') return withoutCause(causes, 'billing');
  return cause === undefined ? [] : withoutCause(causes, cause);
}
