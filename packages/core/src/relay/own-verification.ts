import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { VerificationRepository } from './verification-repository.js';

/** The verification of a domain that counted as verified by its parent. */
@needs(VerificationRepository, JobQueue)
export class OwnVerification {
  constructor(
    private readonly verifications: VerificationRepository,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Begins it, again when it failed; a running or successful one is not changed. The caller must have locked the
   * domain.
   */
  async start(domainId: number, now: Date): Promise<void> {
    const verification = await this.verifications.lock(domainId);
    if (verification === null || verification.status === 'verified') return;
    if (verification.status !== 'pending') {
      verification.start(now);
      await this.verifications.save(verification);
    }
    await this.jobs.enqueue('domain.verify', { domainId }, { key: `domain.verify/${domainId}` });
  }
}
