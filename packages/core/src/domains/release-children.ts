import type { JobQueue } from '../jobs/jobs.js';
import { startOwnVerification } from '../relay/own-verification.js';
import type { VerificationRepository } from '../relay/verification-repository.js';
import type { Domain } from './domain.js';
import type { DomainRepository } from './domain-repository.js';
import { withCause } from './suspension.js';
import type { TombstoneRepository } from './tombstone-repository.js';

/**
 * Unlinks the children of a parent and starts their own verification. The parent's block and its suspension for abuse
 * applied to the children too, so they are copied to each child, and to the tombstones of deleted children. The caller
 * must have locked the partner and the parent.
 *
 * @returns the number of unlinked children.
 */
export async function releaseChildren(
  domains: DomainRepository,
  verifications: VerificationRepository,
  tombstones: TombstoneRepository,
  jobs: JobQueue,
  parent: Domain,
  parentWasVerified: boolean,
  now: Date,
): Promise<number> {
  const children = await domains.lockChildren(parent.id);
  for (const child of children) {
    child.unlink(parentWasVerified, now);
    copyRestrictions(child, parent, now);
    await domains.save(child);
    await startOwnVerification(verifications, jobs, child.id, now);
  }
  if (isRestricted(parent)) {
    for (const tombstone of await tombstones.ofChildren(parent)) {
      copyRestrictions(tombstone.domain, parent, now);
      await tombstones.saveHolds(tombstone);
    }
  }
  return children.length;
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
