import { Clock, HOUR_MS } from '../clock.js';
import { AppError } from '../errors.js';
import { type JobCounts, JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { RelayProvider } from './relay-provider.js';
import { CONFIGURATION_READ_EVERY_MS } from './verification.js';
import { type DueVerification, VerificationRepository } from './verification-repository.js';

const JOB = 'identities.align';
/** The wait before an identity is tried again that the provider could not change. */
const RETRY_AFTER_MS = HOUR_MS;

/**
 * Gives identities the configuration set of the settings, one identity in each run of the job, which enqueues itself
 * again after the provider's interval. So the calls are few whatever waits, a restart loses nothing, and partners take
 * turns.
 */
@needs(VerificationRepository, RelayProvider, JobQueue, Clock)
export class AlignIdentities {
  constructor(
    private readonly verifications: VerificationRepository,
    private readonly provider: RelayProvider,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Looks for identities that have another set or were not read for 30 days, and begins with the first one. */
  async begin(): Promise<void> {
    const { configurationSet } = this.provider;
    if (configurationSet === null) return;
    await this.verifications.planAlignment(configurationSet, this.clock.now());
    await this.jobs.enqueue(JOB, { afterPartnerId: 0 }, { key: JOB });
  }

  /** Aligns the identity whose turn it is. @returns no counts when none is due, and then the job ends. */
  async execute(afterPartnerId: number): Promise<JobCounts> {
    const due = await this.verifications.nextToAlign(afterPartnerId, this.clock.now());
    if (due === null || this.provider.configurationSet === null) return {};
    const counts = await this.align(due);
    const runAt = new Date(this.clock.now().getTime() + this.provider.alignIntervalMs);
    await this.jobs.enqueue(JOB, { afterPartnerId: due.partnerId }, { key: JOB, runAt });
    return counts;
  }

  private async align({ domainId, name, startedAt }: DueVerification): Promise<JobCounts> {
    const after = (ms: number) => new Date(this.clock.now().getTime() + ms);
    // Stored before the call: an identity whose call ends the process must not be the next one again.
    await this.verifications.noteAlignment(domainId, after(RETRY_AFTER_MS));
    try {
      const identity = await this.provider.alignIdentity({ id: domainId, name, startedAt });
      // The re-check of the domain says what became of an identity that is gone.
      const set = identity?.configurationSet ?? null;
      const isAligned = set === this.provider.configurationSet;
      const alignAt = after(isAligned || identity === null ? CONFIGURATION_READ_EVERY_MS : RETRY_AFTER_MS);
      await this.verifications.noteAlignment(domainId, alignAt, set);
      return isAligned ? { aligned: 1 } : { failed: 1 };
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable') return { failed: 1 };
      throw error;
    }
  }
}
