import { needs } from '../needs.js';
import { MarkLimits } from '../outbound/mark-limits.js';
import { OwnVerification } from '../relay/own-verification.js';
import { VerificationRepository } from '../relay/verification-repository.js';
import type { Domain } from './domain.js';
import { DomainRepository } from './domain-repository.js';
import { withCause } from './suspension.js';
import { TombstoneRepository } from './tombstone-repository.js';

/**
 * Unlinks the children of a parent and starts their own verification. The parent's block and its suspension for abuse
 * applied to the children too, so they are copied to each child, and to the tombstones of deleted children.
 */
@needs(DomainRepository, VerificationRepository, TombstoneRepository, OwnVerification, MarkLimits)
export class ReleaseChildren {
  constructor(
    private readonly domains: DomainRepository,
    private readonly verifications: VerificationRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly ownVerification: OwnVerification,
    private readonly marks: MarkLimits,
  ) {}

  /** The caller must have locked the partner and the parent. @returns the number of unlinked children */
  async execute(parent: Domain, now: Date): Promise<number> {
    const parentWasVerified = (await this.verifications.find(parent.id))?.status === 'verified';
    const children = await this.domains.lockChildren(parent.id);
    for (const child of children) {
      child.unlink(parentWasVerified, now);
      copyRestrictions(child, parent, now);
      child.revision += 1;
      await this.domains.save(child);
      await this.ownVerification.start(child.id, now);
    }
    await this.marks.execute(children.map(({ name }) => name));
    if (isRestricted(parent)) {
      for (const tombstone of await this.tombstones.ofChildren(parent)) {
        copyRestrictions(tombstone.domain, parent, now);
        await this.tombstones.saveHolds(tombstone);
      }
    }
    return children.length;
  }
}

function isRestricted({ suspensionCauses, outboundStatus }: Domain): boolean {
  return suspensionCauses.includes('abuse') || outboundStatus === 'blocked';
}

function copyRestrictions(child: Domain, parent: Domain, now: Date): void {
  if (parent.suspensionCauses.includes('abuse')) child.suspensionCauses = withCause(child.suspensionCauses, 'abuse');
  if (parent.outboundStatus === 'blocked' && child.outboundStatus !== 'blocked') {
    child.block(parent.blockedReason ?? 'operator', parent.blockedAt ?? now);
  }
}
