import { aboutDomain } from '../audit/about-domain.js';
import { aboutPartner } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { Meters } from '../meters.js';
import { needs } from '../needs.js';
import { systemActor } from '../operators/actor.js';
import { byId, inChunks } from '../page.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { type ContentCounts, type DomainCounts, type OwnCounts, RowCounts, type Slice } from './row-counts.js';

const ROWS_PER_READ = 50;
const ACTOR = systemActor('housekeeping');

/**
 * Compares the stored counts of partners and domains with the rows, and corrects wrong counts, because quotas are
 * checked against them, and the bound of suppressions. A wrong count is a defect of this service, so each correction
 * has an audit row and is metered.
 */
@needs(UnitOfWork, RowCounts, PartnerRepository, DomainRepository, AuditLog, Meters, Clock)
export class CorrectCounts {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rowCounts: RowCounts,
    private readonly partners: PartnerRepository,
    private readonly domains: DomainRepository,
    private readonly audit: AuditLog,
    private readonly meters: Meters,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the number of partners and domains in the slice that were compared, and the number that were corrected.
   */
  async execute(slice: Slice): Promise<{ counts_checked: number; counts_mended: number }> {
    const counts = { counts_checked: 0, counts_mended: 0 };
    for await (const { rows } of inChunks(
      byId((page) => this.rowCounts.partners(slice, page)),
      ROWS_PER_READ,
    )) {
      counts.counts_checked += rows.length;
      for (const { id, stored, actual } of rows) {
        if (!isSameOwn(stored, actual) && (await this.correctPartner(id))) counts.counts_mended += 1;
      }
    }
    for await (const { rows } of inChunks(
      byId((page) => this.rowCounts.domains(slice, page)),
      ROWS_PER_READ,
    )) {
      counts.counts_checked += rows.length;
      for (const row of rows) {
        if (!isSame(row.stored, row.actual) && (await this.correctDomain(row))) counts.counts_mended += 1;
      }
    }
    return counts;
  }

  /** Counts again with the partner locked. @returns false when the stored count is now right. */
  private correctPartner(id: number): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const partner = await this.partners.lock(id);
      const before: OwnCounts = { domains: partner.domainCount, suppressions: partner.suppressionCount };
      const after = await this.rowCounts.ownOf(id);
      if (isSameOwn(before, after)) return false;
      partner.domainCount = after.domains;
      partner.suppressionCount = after.suppressions;
      await this.partners.save(partner);
      const change = { subject: partner.ref ?? 'no partner', ...differences(before, after) };
      await this.audit.append(ACTOR, this.clock.now(), aboutPartner(partner, 'partner.mend_counts', change));
      this.unitOfWork.afterCommit(() => this.meters.countsCorrected('partner'));
      return true;
    });
  }

  /**
   * Counts again with the partner and the domain locked. A domain that was moved meanwhile is compared again in the
   * next cycle.
   * @returns false when the stored counts are now right, or when the domain was deleted or moved meanwhile.
   */
  private correctDomain({ id, partnerId }: DomainCounts): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      await this.partners.lock(partnerId);
      const domain = await this.domains.lockById(id);
      if (domain === null || domain.partnerId !== partnerId) return false;
      const before = { mailboxes: domain.mailboxCount, aliases: domain.aliasCount };
      const after = await this.rowCounts.contentsOf(id);
      if (isSame(before, after)) return false;
      await this.domains.addToCounts(id, {
        mailboxes: after.mailboxes - before.mailboxes,
        aliases: after.aliases - before.aliases,
      });
      await this.audit.append(ACTOR, this.clock.now(), aboutDomain(domain, 'domain.mend_counts', { before, after }));
      this.unitOfWork.afterCommit(() => this.meters.countsCorrected('domain'));
      return true;
    });
  }
}

function isSameOwn(left: OwnCounts, right: OwnCounts): boolean {
  return left.domains === right.domains && left.suppressions === right.suppressions;
}

/** The counts that were wrong, with the right ones. */
function differences(before: OwnCounts, after: OwnCounts): { before: Partial<OwnCounts>; after: Partial<OwnCounts> } {
  const names = (['domains', 'suppressions'] as const).filter((name) => before[name] !== after[name]);
  const of = (counts: OwnCounts) => Object.fromEntries(names.map((name) => [name, counts[name]]));
  return { before: of(before), after: of(after) };
}

function isSame(left: ContentCounts, right: ContentCounts): boolean {
  return left.mailboxes === right.mailboxes && left.aliases === right.aliases;
}
