import type { DomainWithParent } from '../../domains/domain-repository.js';
import { AppError } from '../../errors.js';
import { needs } from '../../needs.js';
import type { DnsCheck } from '../dns-check.js';
import { recordOf } from './dns-lacks.js';
import { DnsLooks, type Look } from './dns-looks.js';
import { PlanLooks } from './plan-looks.js';
import { lackOf, neededRecords } from './see-records.js';

/** Has a domain looked at soon when the check of a reader found something else than the looks at it. */
@needs(DnsLooks, PlanLooks)
export class NoteReader {
  constructor(
    private readonly looks: DnsLooks,
    private readonly plans: PlanLooks,
  ) {}

  /** @param checks those without an expected value, and of records that the domain does not need, are left out */
  async execute(found: DomainWithParent, checks: readonly DnsCheck[], now: Date): Promise<void> {
    const needed = neededRecords(found, now);
    const looked = checks.filter(
      ({ record, required }) => required && (record === 'mx' || record === 'spf') && needed[record],
    );
    if (looked.length === 0) return;
    try {
      const look = await this.looks.find(found.domain.id);
      if (look !== null && looked.some((check) => isOther(check, look))) await this.plans.afterReader(found.domain.id);
    } catch (error) {
      // The reader asked for the records, and the daily look comes all the same.
      if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
    }
  }
}

function isOther(check: DnsCheck, { lacks, suspected }: Look): boolean {
  const lack = lackOf(check);
  if (lack === 'unknown') return false;
  const known = [...lacks, ...suspected];
  return lack === null ? known.some((each) => recordOf(each) === check.record) : !known.includes(lack);
}
