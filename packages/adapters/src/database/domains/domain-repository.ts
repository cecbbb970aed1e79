import { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import {
  type AncestorDomain,
  DomainRepository,
  type DomainSummary,
  type DomainWithParent,
} from '@mailstead/core/domains/domain-repository';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { Page } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import { MoreThan, Not } from 'typeorm';
import { Database } from '../driver/database.js';
import { isDuplicateError } from '../driver/database-error.js';
import { Filter } from '../driver/filter.js';
import { writeStates } from '../finding/attention-rows.js';
import { moveSuppressions } from '../suppressions/suppression-counts.js';
import { addToCounts, DomainStatements } from './domain-statements.js';
import { moveContents } from './domain-suffixes.js';
import { neverOpen, openPendingChildren, withRetentionReminder } from './domain-waiting-statements.js';

@needs(Database)
export class TypeormDomainRepository extends DomainRepository {
  private readonly statements: DomainStatements;

  constructor(private readonly database: Database) {
    super();
    this.statements = new DomainStatements(database);
  }

  override findWithParent(scope: PartnerScope, name: DomainName): Promise<DomainWithParent | null> {
    return this.statements.findWithParent(scope, name);
  }

  override find(scope: PartnerScope, name: DomainName): Promise<Domain | null> {
    return this.statements.find(scope, name);
  }

  override lock(scope: PartnerScope, name: DomainName): Promise<Domain | null> {
    return this.statements.lock(scope, name);
  }

  override async lockById(id: number): Promise<Domain | null> {
    return (await this.statements.lockAll(new Filter('d.id = ?', id)))[0] ?? null;
  }

  override async beingDeleted(scope: PartnerScope, name: DomainName): Promise<number | null> {
    const { sql, parameters } = new Filter('d.name = ?', name).inScope(scope, 'd.partner_id', 'd.id');
    const [row] = await this.database.read(
      `SELECT d.id FROM domain d JOIN domain_deletion x ON x.domain_id = d.id WHERE ${sql}`,
      parameters,
    );
    return row === undefined ? null : Number(row.id);
  }

  override async partnerIdOf(id: number): Promise<number | null> {
    const [row] = await this.database.read('SELECT partner_id FROM domain WHERE id = ?', [id]);
    return row === undefined ? null : Number(row.partner_id);
  }

  override page(
    scope: PartnerScope,
    { partnerRef }: { partnerRef?: PartnerRef | undefined },
    page: Page,
  ): Promise<DomainSummary[]> {
    return this.statements.page({ scope, partnerRef, page });
  }

  override async hasRetention(): Promise<boolean> {
    const rows = await this.database.read('SELECT 1 FROM domain WHERE retention_days > 0 LIMIT 1');
    return rows.length > 0;
  }

  override withRetention({ after, limit }: Page): Promise<Domain[]> {
    return this.database.manager.find(Domain, {
      where: { id: MoreThan(after), retentionDays: Not(0) },
      order: { id: 'ASC' },
      take: limit,
    });
  }

  override withRetentionReminder(now: Date, page: Page): Promise<{ id: number }[]> {
    return withRetentionReminder(this.database, now, page);
  }

  override neverOpen(since: Date, notifiedUntil: Date | null, page: Page): Promise<{ id: number; name: DomainName }[]> {
    return neverOpen(this.database, since, notifiedUntil, page);
  }

  override openPendingChildren(parentId: number): Promise<void> {
    return openPendingChildren(this.database, parentId);
  }

  override ancestors(names: DomainName[]): Promise<AncestorDomain[]> {
    return this.statements.ancestors(names);
  }

  override lockChildren(parentId: number): Promise<Domain[]> {
    return this.statements.lockAll(new Filter('d.parent_id = ?', parentId));
  }

  override async add(domain: Domain): Promise<Domain> {
    try {
      return await this.statements.insert(domain);
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('domain_exists', { cause: error }) : error;
    }
  }

  override async save(domain: Domain): Promise<void> {
    await this.statements.save(domain);
    await writeStates(this.database, domain);
  }

  override async moveContents(domain: Domain): Promise<void> {
    await moveContents(this.database, domain);
    await moveSuppressions(this.database, domain);
  }

  override addToCounts(id: number, change: { mailboxes?: number; aliases?: number }): Promise<void> {
    return addToCounts(this.database, id, change);
  }
}
