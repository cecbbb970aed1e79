import { DAY_MS, DatabaseClock } from '../../clock.js';
import { AppError } from '../../errors.js';
import { type JobCounts, JobQueue } from '../../jobs/jobs.js';
import { needs } from '../../needs.js';
import { RelayProvider } from '../relay-provider.js';
import { MakeTenant } from './make-tenant.js';
import { askAboutTenants } from './note-tenant-hint.js';
import type { RelayTenants, SendingStatus } from './relay-tenants.js';
import { type MadeTenantRow, Tenants } from './tenants.js';

/** How long a partner has no verified domain before its tenant is deleted. */
const EMPTY_MS = 90 * DAY_MS;
/** The most calls of one run for each kind of work; the rest waits for the next hour. */
const LEAVES_AT_ONCE = 50;
const DELETIONS_AT_ONCE = 20;
const RETRIES_AT_ONCE = 20;
/** The most tenants of one run that are read because the provider does not list them. */
const MISSING_AT_ONCE = 20;
/** The most pages of resources that one run reads. SES has 10,000 tenants at most by default. */
const MAX_PAGES = 100;
const PAGE_SIZE = 1_000;

/**
 * What tenants need each hour: associations end that a moved or deleted domain left, unused tenants are deleted,
 * failed ones tried again, and a pause or its end is found that no hint told of.
 */
@needs(Tenants, RelayProvider, MakeTenant, JobQueue, DatabaseClock)
export class TidyTenants {
  constructor(
    private readonly tenants: Tenants,
    private readonly provider: RelayProvider,
    private readonly makeTenant: MakeTenant,
    private readonly jobs: JobQueue,
    private readonly clock: DatabaseClock,
  ) {}

  /** A provider that does not answer ends the run; the next one goes on. */
  async execute(): Promise<JobCounts> {
    const { tenants } = this.provider;
    if (tenants === null) return { resumed: await this.tenants.endPauses() };
    const counts: JobCounts = {};
    const now = await this.clock.time();
    try {
      counts.compared = await this.compare(tenants);
      counts.left = await this.leave(tenants, now);
      counts.deleted = await this.deleteEmpty(tenants, now);
      const wanted = { configurationSet: this.provider.configurationSet, policy: tenants.policy };
      for (const partnerId of await this.tenants.dueToMake(wanted, now, RETRIES_AT_ONCE)) {
        await this.makeTenant.execute(partnerId);
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
    }
    return counts;
  }

  /**
   * Has every tenant read whose status differs from the stored one, every reinstated one, and some of those that the
   * provider does not list: they may be gone, and mail that names them is refused.
   */
  private async compare(tenants: RelayTenants): Promise<number> {
    const listed = new Map<string, SendingStatus>();
    let token: string | null = null;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { statuses, nextToken } = await tenants.statuses(token);
      for (const { arn, aggregate } of statuses) listed.set(arn, aggregate);
      token = nextToken;
      if (token === null) break;
    }
    const asked: number[] = [];
    const missing: MadeTenantRow[] = [];
    for (let after = 0; ; ) {
      const stored = await this.tenants.made(after, PAGE_SIZE);
      for (const tenant of stored) {
        const found = listed.get(tenant.arn);
        after = tenant.partnerId;
        if (found !== undefined) {
          const isSame = (found === 'DISABLED') === (tenant.status === 'paused');
          if (!isSame || tenant.ownStatus === 'REINSTATED') asked.push(tenant.partnerId);
        } else if (token === null) {
          missing.push(tenant);
        }
      }
      if (stored.length < PAGE_SIZE) break;
    }
    // Also the provider may list no tenant that never sent, so that the number is limited.
    const first = missing.toSorted((left, right) => rankOf(left) - rankOf(right)).slice(0, MISSING_AT_ONCE);
    asked.push(...first.map(({ partnerId }) => partnerId));
    await askAboutTenants(this.jobs, asked, null);
    return asked.length;
  }

  private async leave(tenants: RelayTenants, now: Date): Promise<number> {
    const due = await this.tenants.dueToLeave(now, LEAVES_AT_ONCE);
    for (const leaving of due) {
      await tenants.leave(leaving.tenant, leaving.identity);
      await this.tenants.noteLeft(leaving, now);
    }
    return due.length;
  }

  private async deleteEmpty(tenants: RelayTenants, now: Date): Promise<number> {
    await this.tenants.noteEmpty(now);
    const taken = await this.tenants.takeEmpty(new Date(now.getTime() - EMPTY_MS), DELETIONS_AT_ONCE);
    for (const { partnerId, tenant } of taken) {
      await tenants.delete(tenant);
      await this.tenants.remove(partnerId);
    }
    return taken.length;
  }
}

/** Paused ones come first, then those that were never read, then those that were not read for longest. */
function rankOf({ status, readAt }: MadeTenantRow): number {
  return status === 'paused' ? -1 : (readAt?.getTime() ?? 0);
}
