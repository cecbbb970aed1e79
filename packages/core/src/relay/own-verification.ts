import type { JobQueue } from '../jobs/jobs.js';
import type { VerificationRepository } from './verification-repository.js';

/**
 * Starts the verification of a domain that counted as verified by its parent. A failed verification begins again; a
 * running or successful one is not changed. The caller must have locked the domain.
 */
export async function startOwnVerification(
  verifications: VerificationRepository,
  jobs: JobQueue,
  domainId: number,
  now: Date,
): Promise<void> {
  const verification = await verifications.lock(domainId);
  if (verification === null || verification.status === 'verified') return;
  if (verification.status !== 'pending') {
    verification.start(now);
    await verifications.save(verification);
  }
  await jobs.enqueue('domain.verify', { domainId }, { key: `domain.verify/${domainId}` });
}
