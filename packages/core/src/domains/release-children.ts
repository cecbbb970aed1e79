import type { JobQueue } from '../jobs/jobs.js';
import type { Domain } from './domain.js';
import type { DomainRepository } from './domain-repository.js';
import { withCause } from './suspension.js';
import type { TombstoneRepository } from './tombstone-repository.js';

/**
 * Unlinks the children of a parent and starts their own verification. The parent's block and its suspension for abuse applied
 * to the children too; each child keeps them as its own. So do children that were deleted before, in their tombstones. Partner
 * and parent must be locked.
 *
 * @returns how many children were unlinked.
 */
export async function releaseChildren(
  domains: DomainRepository,
  tombstones: TombstoneRepository,
  jobs: JobQueue,
  parent: Domain,
  parentWasVerified: boolean,
  now: Date,
): Promise<number> {
  const children = await domains.lockChildren(parent.id);
  for (const child of children) {
    child.unlink(parentWasVerified, now);
    keepHolds(child, parent, now);
    await domains.save(child);
    await jobs.enqueue('domain.verify', { domainId: child.id }, { key: `domain.verify/${child.id}` });
  }
  if (isHeld(parent)) {
    for (const tombstone of await tombstones.ofChildren(parent)) {
      keepHolds(tombstone.domain, parent, now);
      await tombstones.saveHolds(tombstone);
    }
  }
  return children.length;
}

function isHeld({ suspensionCauses, outboundStatus }: Domain): boolean {
  return suspensionCauses.includes('abuse') || outboundStatus === 'blocked';
}

function keepHolds(child: Domain, parent: Domain, now: Date): void {
  if (parent.suspensionCauses.includes('abuse')) child.suspensionCauses = withCause(child.suspensionCauses, 'abuse');
  if (parent.outboundStatus === 'blocked' && child.outboundStatus !== 'blocked') {
    child.block(parent.blockedReason ?? 'operator', parent.blockedAt ?? now);
  }
}
