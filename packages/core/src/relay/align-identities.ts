import { Clock, HOUR_MS } from '../clock.js';
import { AppError } from '../errors.js';
import { type JobCounts, JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { type RelayIdentity, RelayProvider } from './relay-provider.js';
import { type MadeTenant, MakeTenant } from './tenants/make-tenant.js';
import { askAboutTenants } from './tenants/note-tenant-hint.js';
import { LEAVES_AFTER_MS, Tenants } from './tenants/tenants.js';
import { CONFIGURATION_READ_EVERY_MS } from './verification.js';
import { type DueVerification, VerificationRepository } from './verification-repository.js';

const JOB = 'identities.align';
/** The wait before an identity is tried again that the provider could not change. */
const RETRY_AFTER_MS = HOUR_MS;
/** The most calls that align one identity: it is read, changed and associated. */
const MAX_ALIGN_CALLS = 3;

/** What one run of the job did. */
interface Turn {
  counts: JobCounts;
  /** The number of calls to the provider. */
  calls: number;
}

/**
 * Gives identities the configuration set of the settings and the tenant of their partner, one identity or one tenant
 * in each run of the job, which enqueues itself again after the provider's interval for each call that it made. So the
 * calls are few whatever waits, a restart loses nothing, and partners take turns.
 */
@needs(VerificationRepository, RelayProvider, MakeTenant, Tenants, JobQueue, Clock)
export class AlignIdentities {
  constructor(
    private readonly verifications: VerificationRepository,
    private readonly provider: RelayProvider,
    private readonly makeTenant: MakeTenant,
    private readonly tenants: Tenants,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Looks for identities that lack their set or tenant, or were not read for 30 days, and begins with the first one.
   */
  async begin(): Promise<void> {
    const { configurationSet, tenants } = this.provider;
    if (configurationSet === null) return;
    await this.verifications.planAlignment({ configurationSet, inTenant: tenants !== null }, this.clock.now());
    await this.jobs.enqueue(JOB, { afterPartnerId: 0 }, { key: JOB });
  }

  /** Aligns the identity whose turn it is. @returns no counts when none is due, and then the job ends. */
  async execute(afterPartnerId: number): Promise<JobCounts> {
    const due = await this.verifications.nextToAlign(afterPartnerId, this.clock.now());
    if (due === null || this.provider.configurationSet === null) return {};
    const tenant = await this.makeTenant.execute(due.partnerId);
    // The calls that made a tenant fill a turn of its partner.
    const turn: Turn =
      tenant.state === 'made' ? { counts: { tenants: 1 }, calls: tenant.calls } : await this.align(due, tenant);
    const { counts, calls } = turn;
    const runAt = new Date(this.clock.now().getTime() + this.provider.alignIntervalMs * calls);
    await this.jobs.enqueue(JOB, { afterPartnerId: due.partnerId }, { key: JOB, runAt });
    return counts;
  }

  private async align(due: DueVerification, tenant: MadeTenant): Promise<Turn> {
    const { domainId, name, startedAt } = due;
    const after = (ms: number) => new Date(this.clock.now().getTime() + ms);
    // Stored before the call: an identity whose call ends the process must not be the next one again.
    await this.verifications.noteAlignment(due, after(RETRY_AFTER_MS));
    try {
      const { identity, calls } = await this.provider.alignIdentity({ id: domainId, name, startedAt });
      // The re-check of the domain says what became of an identity that is gone.
      const set = identity?.configurationSet ?? null;
      const joined = set === this.provider.configurationSet ? await this.join(due, identity, tenant) : 'not due';
      const isAligned = set === this.provider.configurationSet && joined !== 'failed';
      const alignAt = after(isAligned || identity === null ? CONFIGURATION_READ_EVERY_MS : RETRY_AFTER_MS);
      await this.verifications.noteAlignment(due, alignAt, set);
      return { counts: isAligned ? { aligned: 1 } : { failed: 1 }, calls: calls + (joined === 'not due' ? 0 : 1) };
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable') {
        return { counts: { failed: 1 }, calls: MAX_ALIGN_CALLS };
      }
      throw error;
    }
  }

  /**
   * Associates the identity with the tenant. @returns `not due` without a tenant to join, and then mail of the domain
   * leaves without the name of one; `failed` when it has to be tried again
   */
  private async join(
    due: DueVerification,
    identity: RelayIdentity | null,
    tenant: MadeTenant,
  ): Promise<'not due' | 'joined' | 'failed'> {
    const { tenants } = this.provider;
    if (tenants === null || tenant.state !== 'ready' || identity?.status !== 'verified') return 'not due';
    const { domainId, name, partnerId, startedAt } = due;
    await this.tenants.beginJoin(partnerId, name);
    const isJoined = await tenants.join(tenant, name);
    if (isJoined && (await this.tenants.confirmJoin({ domainId, startedAt, partnerId, arn: tenant.arn })))
      return 'joined';
    // The domain may have moved or been deleted meanwhile; when it is tried again, the association begins anew.
    await this.tenants.endJoin(partnerId, name, new Date(this.clock.now().getTime() + LEAVES_AFTER_MS));
    if (isJoined) return 'failed';
    await this.tenants.clearJoin(domainId, partnerId);
    await askAboutTenants(this.jobs, [partnerId], null);
    return 'failed';
  }
}
