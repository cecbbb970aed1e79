import { DAY_MS, SECOND_MS, utcDay } from '../clock.js';
import { AppError } from '../errors.js';
import type { JobCounts } from '../jobs/jobs.js';
import type { RunInProgress } from '../jobs/schedules.js';
import type { Address } from '../mailboxes/address.js';
import { MailboxRepository } from '../mailboxes/mailbox-repository.js';
import { MailboxUsage } from '../mailboxes/mailbox-usage.js';
import { needs, token } from '../needs.js';
import { type MeasuredDomain, UsageLedger } from './usage-ledger.js';

/** Dovecot serves logins meanwhile. */
const MAILBOXES_PER_SECOND = 100;
const DOMAINS_PER_CHUNK = 100;
/** The run ends when there was no answer for so many domains in a row. */
const MAX_WITHOUT_ANSWER = 20;
const MB = 1_048_576;

export interface StorageOptions {
  wait: (ms: number) => Promise<void>;
}
export const StorageOptions = token<StorageOptions>('StorageOptions');

/**
 * Measures once a day the stored mail of all domains, as a sample of the day that ended: the sizes are those of the
 * time of the measurement. A domain with a mailbox whose size is unknown is not measured on that day.
 */
@needs(UsageLedger, MailboxRepository, MailboxUsage, StorageOptions)
export class MeasureStorage {
  constructor(
    private readonly ledger: UsageLedger,
    private readonly mailboxes: MailboxRepository,
    private readonly usage: MailboxUsage,
    private readonly options: StorageOptions,
  ) {}

  /** @throws AppError `mail_store_unavailable` when the mail server does not respond; the next attempt continues */
  async execute(run: Pick<RunInProgress, 'period' | 'cursor' | 'save'>): Promise<JobCounts> {
    const counts = { domains: 0, unknown: 0 };
    if (!this.usage.isConfigured) return counts;
    const silence = { domains: 0 };
    const day = utcDay(new Date(run.period.dueAt.getTime() - DAY_MS));
    for (let after: number | null = run.cursor; after !== null; ) {
      const domains = await this.ledger.domainsAfter(after, DOMAINS_PER_CHUNK);
      const extendLease = () => run.save(after ?? 0);
      const measured = await this.measure(domains, silence, extendLease);
      await this.ledger.storeStorage(day, measured);
      if (silence.domains === MAX_WITHOUT_ANSWER) {
        const detail = `Dovecot gave no answer for ${MAX_WITHOUT_ANSWER} domains in a row`;
        throw new AppError('mail_store_unavailable', { detail });
      }
      counts.domains += measured.size;
      counts.unknown += domains.length - measured.size;
      after = domains.length < DOMAINS_PER_CHUNK ? null : (domains.at(-1)?.id ?? null);
      if (after !== null) await run.save(after);
    }
    return counts;
  }

  private async measure(
    domains: readonly MeasuredDomain[],
    silence: { domains: number },
    extendLease: () => Promise<void>,
  ): Promise<Map<MeasuredDomain, number>> {
    const measured = new Map<MeasuredDomain, number>();
    for (const domain of domains) {
      if (silence.domains === MAX_WITHOUT_ANSWER) break;
      const bytes = await this.bytesOf(domain, extendLease);
      if (typeof bytes === 'number') measured.set(domain, Math.ceil(bytes / MB));
      silence.domains = bytes === 'no_answer' ? silence.domains + 1 : 0;
    }
    return measured;
  }

  private async bytesOf(
    { id }: MeasuredDomain,
    extendLease: () => Promise<void>,
  ): Promise<number | 'no_mailbox' | 'no_answer'> {
    let bytes = 0;
    for await (const page of this.mailboxes.homes(id)) {
      // Before the requests, because the first mailbox of unknown size ends the domain.
      await this.options.wait((page.length * SECOND_MS) / MAILBOXES_PER_SECOND);
      await extendLease();
      for (const { email } of page) {
        const stored = await this.usage.ask(email as Address);
        if (typeof stored === 'string') return stored;
        bytes += stored.bytes;
      }
    }
    return bytes;
  }
}
