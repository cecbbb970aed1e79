import type { JobQueue } from '../jobs.js';
import type { Domain } from './domain.js';
import type { DomainRepository } from './domain-repository.js';

/** Cuts the children of a parent loose and starts their own verification. The parent is locked. Answers how many there were. */
export async function releaseChildren(
  domains: DomainRepository,
  jobs: JobQueue,
  parent: Domain,
  parentWasVerified: boolean,
  now: Date,
): Promise<number> {
  const children = await domains.lockChildren(parent.id);
  for (const child of children) {
    child.unlink(parentWasVerified, now);
    await domains.save(child);
    await jobs.enqueue('domain.verify', { domainId: child.id }, { key: `domain.verify/${child.id}` });
  }
  return children.length;
}
