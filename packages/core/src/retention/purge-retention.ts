import { type Clock, DAY_MS } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import { AppError } from '../errors.js';
import type { MailboxRepository } from '../mailboxes/mailbox-repository.js';
import { byId, inChunks } from '../page.js';
import { type MailStore, mailStoreNotConfigured, type PurgeCounts } from './mail-store.js';

const DOMAINS_PER_READ = 200;
const DOMAINS_AT_ONCE = 4;

/** The numbers of a run; `failed` counts the domains whose mail store did not respond. */
type Purged = { domains: number; messages: number; bytes: number; failed: number };

/** The progress of a purge, stored by the run ledger: domains with an id up to the cursor are done. */
export interface PurgeProgress {
  cursor: number;
  save(cursor: number): Promise<void>;
}

/** Removes stored mail that is older than the retention of its domain. Suspended domains are skipped. */
export class PurgeRetention {
  constructor(
    private readonly domains: DomainRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly store: MailStore,
    private readonly clock: Clock,
    private readonly options: { retentionGraceMs: number },
  ) {}

  /**
   * Purges every domain, and continues after an interrupted run. A domain that fails is counted, and the next run tries it
   * again.
   * @throws AppError mail_store_unavailable when all domains failed.
   */
  async execute(progress: PurgeProgress): Promise<Purged | { skipped: number }> {
    if (!this.store.isConfigured) return { skipped: 1 };
    const counts: Purged = { domains: 0, messages: 0, bytes: 0, failed: 0 };
    const list = byId((page) => this.domains.withRetention(page), { after: progress.cursor });
    for await (const { rows: domains } of inChunks(list, DOMAINS_PER_READ)) {
      for (let start = 0; start < domains.length; start += DOMAINS_AT_ONCE) {
        const slice = domains.slice(start, start + DOMAINS_AT_ONCE);
        await Promise.all(slice.map((domain) => this.purgeCounted(domain, counts)));
        const last = slice.at(-1);
        if (last !== undefined) await progress.save(last.id);
      }
    }
    if (counts.failed !== 0 && counts.domains === 0) throw new AppError('mail_store_unavailable');
    return counts;
  }

  /**
   * @returns the numbers that a purge of one domain would remove now. @throws AppError domain_not_found,
   * mail_store_unavailable
   */
  async preview(name: DomainName): Promise<PurgeCounts & { savedBefore: Date | null }> {
    if (!this.store.isConfigured) throw mailStoreNotConfigured();
    const domain = await this.domains.find('all', name);
    if (domain === null) throw new AppError('domain_not_found');
    const savedBefore = this.savedBefore(domain);
    if (savedBefore === null) return { messages: 0, bytes: 0, savedBefore };
    const counts = await this.store.purge(domain.name, this.mailboxes.homes(domain.id), savedBefore, true);
    return { ...counts, savedBefore };
  }

  private async purgeCounted(domain: Domain, counts: Purged): Promise<void> {
    const savedBefore = this.savedBefore(domain);
    if (savedBefore === null) return;
    try {
      const purged = await this.store.purge(domain.name, this.mailboxes.homes(domain.id), savedBefore, false);
      counts.domains += 1;
      counts.messages += purged.messages;
      counts.bytes += purged.bytes;
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
      counts.failed += 1;
    }
  }

  /** The time before which mail is purged; null when nothing may be purged. */
  private savedBefore(domain: Domain): Date | null {
    const now = this.clock.now();
    const days = domain.purgeAfterDays(now, this.options.retentionGraceMs);
    return days === 0 || domain.status === 'suspended' ? null : new Date(now.getTime() - days * DAY_MS);
  }
}
