import { invalidField } from '../errors.js';
import { RevokeSessions } from '../mail-sessions/revoke-sessions.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { PlanLooks } from '../relay/looks/plan-looks.js';
import { OwnVerification } from '../relay/own-verification.js';
import { VerificationRepository } from '../relay/verification-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { ChangeDomain } from './change-domain.js';
import type { Domain } from './domain.js';
import { DomainLocks } from './domain-locks.js';
import { type DomainName, isAncestor } from './domain-name.js';
import { DomainRepository } from './domain-repository.js';
import type { WildcardMode } from './wildcard.js';

export interface SetParentCommand {
  /** Null removes the link; undefined does not change it. */
  parent?: DomainName | null | undefined;
  wildcardMode?: WildcardMode | undefined;
}

/**
 * Links a domain to a parent or removes the link, and sets which new subdomains link to the domain. A domain that is
 * linked to a parent cannot be a parent.
 */
@needs(
  UnitOfWork,
  DomainLocks,
  ChangeDomain,
  DomainRepository,
  VerificationRepository,
  OwnVerification,
  PlanLooks,
  RevokeSessions,
)
export class SetParent {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly changeDomain: ChangeDomain,
    private readonly domains: DomainRepository,
    private readonly verifications: VerificationRepository,
    private readonly ownVerification: OwnVerification,
    private readonly looks: PlanLooks,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  /** @throws AppError domain_not_found, validation_failed */
  execute(actor: Actor, name: DomainName, command: SetParentCommand): Promise<Domain> {
    return this.unitOfWork.run(async () => {
      // Without the lock of the partner, a domain could be moved or deleted before the link is stored.
      await this.locks.domain(actor, name);
      return this.change(actor, name, command);
    });
  }

  private change(actor: Actor, name: DomainName, command: SetParentCommand): Promise<Domain> {
    return this.changeDomain.execute(
      actor,
      name,
      'domain.set_parent',
      (domain) => ({ parent_id: domain.parentId, wildcard_mode: domain.wildcardMode }),
      async (domain, now) => {
        if (command.wildcardMode !== undefined) domain.wildcardMode = command.wildcardMode;
        if (command.parent === null) await this.unlink(domain, now);
        else if (command.parent !== undefined) await this.link(actor, domain, command.parent);
        if (domain.parentId !== null && domain.wildcardMode !== 'none') {
          throw invalidField('wildcard_mode', 'a domain that is linked to a parent cannot be a wildcard parent');
        }
      },
    );
  }

  private async unlink(domain: Domain, now: Date): Promise<void> {
    if (domain.parentId === null) return;
    const parent = await this.verifications.find(domain.parentId);
    domain.unlink(parent?.status === 'verified', now);
    await this.ownVerification.start(domain.id, now);
  }

  private async link(actor: Actor, domain: Domain, parentName: DomainName): Promise<void> {
    if (!isAncestor(parentName, domain.name)) throw invalidField('parent', `must be a domain above ${domain.name}`);
    const parent = await this.domains.find('all', parentName);
    if (parent === null || parent.partnerId !== domain.partnerId) {
      throw invalidField('parent', 'must be an existing domain of the same partner');
    }
    if (parent.parentId !== null) throw invalidField('parent', 'is itself linked to a parent; link to that one');
    if ((await this.domains.lockChildren(domain.id)).length > 0) {
      throw invalidField('parent', 'this domain has linked subdomains; unlink them first');
    }
    domain.parentId = parent.id;
    if (parent.suspensionCauses.includes('abuse')) await this.revokeSessions.of(domain.name, domain.id, actor);
    domain.inheritedUntil = null;
    await this.openByParent(domain, parent.id);
    await this.looks.afterChange(domain.id);
  }

  /** Opens a domain that was never open when its parent is verified, unless it must still prove its ownership. */
  private async openByParent(domain: Domain, parentId: number): Promise<void> {
    if (domain.pendingSince === null || (await this.verifications.find(parentId))?.status !== 'verified') return;
    const own = await this.verifications.find(domain.id);
    if (own !== null && (!own.ownershipRequired || own.ownershipSeenAt !== null)) domain.openInbound();
  }
}
