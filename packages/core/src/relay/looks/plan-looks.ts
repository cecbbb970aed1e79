import { Clock, MINUTE_MS, SECOND_MS } from '../../clock.js';
import type { Slice } from '../../counts/row-counts.js';
import { JobQueue } from '../../jobs/jobs.js';
import { needs } from '../../needs.js';
import { UnitOfWork } from '../../unit-of-work.js';
import { DnsExpectations } from '../dns-expectations.js';
import { DnsLooks } from './dns-looks.js';

const JOB = 'dns.look';
/** Whoever has just verified or opened a domain may still be publishing its records. */
const AFTER_CHANGE_MS = MINUTE_MS;
/** A reader saw something else than the last look: many readers of one moment cause one look. */
const AFTER_READER_MS = 30 * SECOND_MS;

/** Decides when domains are looked at (`LookAtDomains`). Nothing is looked at where the settings expect nothing. */
@needs(UnitOfWork, DnsLooks, DnsExpectations, JobQueue, Clock)
export class PlanLooks {
  private readonly isNeeded: boolean;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly looks: DnsLooks,
    { mxHosts, spfInclude }: DnsExpectations,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {
    this.isNeeded = mxHosts.length > 0 || spfInclude !== null;
  }

  /**
   * After a change by which records of the domain may be needed, in the unit of work of the caller. Others wait for the
   * lock of the job, so it should be the last statement.
   */
  async afterChange(domainId: number): Promise<void> {
    if (!this.isNeeded) return;
    await this.planAt(domainId, this.after(AFTER_CHANGE_MS));
  }

  /** The same for a domain and those that are linked to it. */
  async afterChangeOfParent(parentId: number): Promise<void> {
    if (!this.isNeeded) return;
    const at = this.after(AFTER_CHANGE_MS);
    await this.looks.planLinked(parentId, at);
    await this.enqueue(at);
  }

  async afterReader(domainId: number): Promise<void> {
    if (!this.isNeeded) return;
    const at = this.after(AFTER_READER_MS);
    await this.unitOfWork.run(() => this.planAt(domainId, at));
  }

  /** After a change by which a lack may begin or end, in the unit of work of the caller, as its last statement. */
  async atOnce(domainId: number): Promise<void> {
    if (this.isNeeded) await this.planAt(domainId, this.clock.now());
  }

  /**
   * Plans what nobody planned in a slice of the domains, and that a round runs when the first domain is due; also where
   * the settings expect nothing any more, so that what was found lacking is taken back. @returns the number of domains
   */
  async sweep(slice: Slice): Promise<number> {
    const planned = this.isNeeded ? await this.looks.planMissing(slice, this.clock.now()) : 0;
    await this.enqueueNext();
    return planned;
  }

  /** Enqueues the next round, at the earliest after `notBefore`. */
  async enqueueNext(notBefore = this.clock.now()): Promise<void> {
    const first = await this.looks.firstDue();
    if (first !== null) await this.enqueue(first > notBefore ? first : notBefore);
  }

  enqueue(runAt: Date): Promise<void> {
    return this.jobs.enqueue(JOB, {}, { key: JOB, runAt });
  }

  private async planAt(domainId: number, at: Date): Promise<void> {
    await this.looks.plan([domainId], at);
    await this.enqueue(at);
  }

  private after(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}
