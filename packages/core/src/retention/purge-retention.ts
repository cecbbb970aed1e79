import { DAY_MS, DatabaseClock } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import { DomainOptions } from '../domains/domain-options.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { isStricter } from '../domains/retention.js';
import { AppError } from '../errors.js';
import { MailboxRepository } from '../mailboxes/mailbox-repository.js';
import { needs } from '../needs.js';
import { Notifier } from '../notifications/notifier.js';
import { byId, inChunks } from '../page.js';
import { UnitOfWork } from '../unit-of-work.js';
import { MailStore, mailStoreNotConfigured, type PurgeCounts } from './mail-store.js';
import { type PurgeMark, PurgeMarks } from './purge-marks.js';

const DOMAINS_PER_READ = 200;
const DOMAINS_AT_ONCE = 4;

/**
 * The numbers of a run; `failed` counts the domains whose mail store did not respond, `held` those whose lowered
 * retention waits for the release of the brake.
 */
type Purged = { domains: number; messages: number; bytes: number; failed: number; held: number };

/** The progress of a purge, stored by the run ledger: domains with an id up to the cursor are done. */
export interface PurgeProgress {
  cursor: number;
  save(cursor: number): Promise<void>;
}

/** One run: its time, and whether too many domains have a newly lowered retention. */
interface Run {
  now: Date;
  /** The number of domains with a newly lowered retention at the start of the run. */
  expected: number;
  isBraked: boolean;
  /** The number of domains with a newly lowered retention that this run has reached. */
  lowered: number;
  counts: Purged;
  /** Whether this run is the first to hold a domain. */
  holdsMore: boolean;
  isAnnounced: boolean;
}

/**
 * Removes stored mail that is older than the retention of its domain. Suspended domains, and those of a partner in
 * stage `all`, are skipped. A retention that is lower than the one that the last purge of the domain applied is *newly
 * lowered*. When more than `purgeBrake` domains have one, each keeps its last applied retention until the operators
 * release the brake or raise the retention again.
 */
@needs(DomainRepository, MailboxRepository, MailStore, PurgeMarks, UnitOfWork, Notifier, DatabaseClock, DomainOptions)
export class PurgeRetention {
  constructor(
    private readonly domains: DomainRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly store: MailStore,
    private readonly marks: PurgeMarks,
    private readonly unitOfWork: UnitOfWork,
    private readonly notifier: Notifier,
    private readonly clock: DatabaseClock,
    private readonly options: { retentionGraceMs: number; purgeBrake: number },
  ) {}

  /**
   * Purges every domain, and continues after an interrupted run. A domain that fails is counted, and the next run tries
   * it again.
   * @throws AppError mail_store_unavailable when all domains failed.
   */
  async execute(progress: PurgeProgress): Promise<Purged | { skipped: number }> {
    if (!this.store.isConfigured) return { skipped: 1 };
    const now = await this.clock.time();
    const counts: Purged = { domains: 0, messages: 0, bytes: 0, failed: 0, held: 0 };
    await this.marks.forgetUnlimited();
    const expected = await this.countLowered(now);
    const isBraked = this.isTooMany(expected);
    const run: Run = { now, expected, isBraked, lowered: 0, counts, holdsMore: false, isAnnounced: false };
    for await (const { domains, marks } of this.pages(progress.cursor)) {
      for (let start = 0; start < domains.length; start += DOMAINS_AT_ONCE) {
        const slice = domains.slice(start, start + DOMAINS_AT_ONCE);
        const changed = await Promise.all(slice.map((domain) => this.purgeCounted(domain, marks.get(domain.id), run)));
        // The marks are stored before the cursor: a run that continues after a crash must find a domain held, or
        // purged.
        await this.saveMarks(
          changed.filter((mark) => mark !== null),
          run,
        );
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
    const mark = (await this.marks.ofDomains([domain.id])).get(domain.id);
    const now = await this.clock.time();
    const days = this.daysOf(domain, now);
    const isHeld = mark !== undefined && mark.heldDays !== null && isStricter(days, mark.purgedDays);
    const savedBefore = savedBeforeOf(domain, isHeld ? mark.purgedDays : days, now);
    if (savedBefore === null) return { messages: 0, bytes: 0, savedBefore };
    const counts = await this.store.purge(domain.name, this.mailboxes.homes(domain.id), savedBefore, true);
    return { ...counts, savedBefore };
  }

  /** Counts the domains with a newly lowered retention, with those that are held already. */
  private async countLowered(now: Date): Promise<number> {
    let lowered = 0;
    for await (const { domains, marks } of this.pages(0)) {
      lowered += domains.filter((domain) => this.isNewlyLowered(domain, marks.get(domain.id), now)).length;
    }
    return lowered;
  }

  private isTooMany(lowered: number): boolean {
    const { purgeBrake } = this.options;
    return purgeBrake !== 0 && lowered > purgeBrake;
  }

  private async *pages(after: number): AsyncGenerator<{ domains: Domain[]; marks: Map<number, PurgeMark> }> {
    const list = byId((page) => this.domains.withRetention(page), { after });
    for await (const { rows: domains } of inChunks(list, DOMAINS_PER_READ)) {
      yield { domains, marks: await this.marks.ofDomains(domains.map(({ id }) => id)) };
    }
  }

  private isNewlyLowered(domain: Domain, mark: PurgeMark | undefined, now: Date): boolean {
    return !domain.isStopped && isStricter(this.daysOf(domain, now), mark?.purgedDays ?? 0);
  }

  /** @returns the domain's new mark; null when it does not change. */
  private async purgeCounted(domain: Domain, mark: PurgeMark | undefined, run: Run): Promise<PurgeMark | null> {
    if (domain.isStopped) return null;
    const days = this.daysOf(domain, run.now);
    const [purgedDays, heldDays] = [mark?.purgedDays ?? 0, mark?.heldDays ?? null];
    const isLowered = this.isNewlyLowered(domain, mark, run.now);
    if (isLowered) run.lowered += 1;
    // Further domains may be activated after the run counted them.
    if (this.isTooMany(run.lowered)) run.isBraked = true;
    const isHeld = isLowered && (run.isBraked || heldDays !== null);
    if (isHeld) {
      run.counts.held += 1;
      if (heldDays === null) run.holdsMore = true;
    }
    const next = isHeld
      ? { domainId: domain.id, purgedDays, heldDays: days }
      : { domainId: domain.id, purgedDays: days, heldDays: null };
    const isPurged = await this.purge(domain, savedBeforeOf(domain, next.purgedDays, run.now), run.counts);
    const isSame = next.purgedDays === purgedDays && next.heldDays === heldDays;
    return isSame || !(isPurged || isHeld) ? null : next;
  }

  /** @returns false when the mail store did not respond. */
  private async purge(domain: Domain, savedBefore: Date | null, counts: Purged): Promise<boolean> {
    if (savedBefore === null) return true;
    try {
      const purged = await this.store.purge(domain.name, this.mailboxes.homes(domain.id), savedBefore, false);
      counts.domains += 1;
      counts.messages += purged.messages;
      counts.bytes += purged.bytes;
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
      counts.failed += 1;
      return false;
    }
  }

  /**
   * Stores the first marks of newly held domains together with the notification: a run that continues after a crash
   * does not hold these domains for the first time.
   */
  private async saveMarks(marks: readonly PurgeMark[], run: Run): Promise<void> {
    if (!run.holdsMore || run.isAnnounced) return this.marks.save(marks);
    run.isAnnounced = true;
    const data = { held: Math.max(run.expected, run.lowered), brake: this.options.purgeBrake };
    await this.unitOfWork.run(async () => {
      await this.marks.save(marks);
      await this.notifier.notify('purge.braked', null, run.now, data);
    });
  }

  private daysOf(domain: Domain, now: Date): number {
    return domain.purgeAfterDays(now);
  }
}

/** The time before which mail is purged; null when nothing may be purged. */
function savedBeforeOf(domain: Domain, days: number, now: Date): Date | null {
  return days === 0 || domain.isStopped ? null : new Date(now.getTime() - days * DAY_MS);
}
