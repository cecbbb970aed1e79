import { Batcher } from '@mailstead/core/batcher';
import { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import {
  type AncestorDomain,
  DomainRepository,
  type DomainSummary,
  type DomainWithParent,
} from '@mailstead/core/domains/domain-repository';
import { AppError } from '@mailstead/core/errors';
import type { Page } from '@mailstead/core/page';
import type { PartnerRef, PartnerScope } from '@mailstead/core/partners/partner';
import { Verification } from '@mailstead/core/relay/verification';
import { type Database, type Parameter, placeholders, type Row } from './driver/database.js';
import { isDuplicateError } from './driver/database-error.js';
import { Table } from './driver/table.js';

interface PageQuery {
  scope: PartnerScope;
  partnerRef: PartnerRef | undefined;
  page: Page;
}

export class TypeormDomainRepository extends DomainRepository {
  private readonly domains: Table<Domain>;
  private readonly verifications: Table<Verification>;
  private readonly records: Batcher<DomainName, DomainWithParent | null>;
  private readonly pages: Batcher<PageQuery, DomainSummary[]>;

  constructor(private readonly database: Database) {
    super();
    this.domains = new Table(database, Domain);
    this.verifications = new Table(database, Verification);
    this.records = new Batcher((names) => this.readRecords(names), { maxItems: 500, maxInFlight: 2 });
    this.pages = new Batcher((queries) => this.readPages(queries), { maxItems: 50, maxInFlight: 2 });
  }

  override async findWithParent(scope: PartnerScope, name: DomainName): Promise<DomainWithParent | null> {
    const record = await this.records.call(name);
    return record !== null && (scope === 'all' || record.domain.partnerId === scope) ? record : null;
  }

  override find(scope: PartnerScope, name: DomainName): Promise<Domain | null> {
    return this.one(scope, name, '');
  }

  override lock(scope: PartnerScope, name: DomainName): Promise<Domain | null> {
    return this.one(scope, name, this.database.forUpdate);
  }

  override async lockById(id: number): Promise<Domain | null> {
    return (await this.select(`d.id = ?${this.database.forUpdate}`, [id]))[0] ?? null;
  }

  override page(
    scope: PartnerScope,
    filter: { partnerRef?: PartnerRef | undefined },
    page: Page,
  ): Promise<DomainSummary[]> {
    return this.pages.call({ scope, partnerRef: filter.partnerRef, page });
  }

  override withRetention({ after, limit }: Page): Promise<Domain[]> {
    return this.select('d.id > ? AND d.retention_days <> 0 ORDER BY d.id LIMIT ?', [after, limit]);
  }

  override async ancestors(names: DomainName[]): Promise<AncestorDomain[]> {
    if (names.length === 0) return [];
    const rows = await this.database.read(
      `SELECT d.id, d.name, d.partner_id, d.wildcard_mode, d.parent_id, v.status
         FROM domain d JOIN verification v ON v.domain_id = d.id WHERE d.name IN (${placeholders(names)})`,
      names,
    );
    return rows.map((row) => ({
      id: Number(row.id),
      name: row.name as DomainName,
      partnerId: Number(row.partner_id),
      wildcardMode: row.wildcard_mode as Domain['wildcardMode'],
      parentId: row.parent_id === null ? null : Number(row.parent_id),
      verificationStatus: row.status as Verification['status'],
    }));
  }

  override lockChildren(parentId: number): Promise<Domain[]> {
    return this.select(`d.parent_id = ? ORDER BY d.id${this.database.forUpdate}`, [parentId]);
  }

  override async add(domain: Domain): Promise<Domain> {
    try {
      return await this.domains.insert(domain);
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('domain_exists', { cause: error }) : error;
    }
  }

  override async save(domain: Domain): Promise<void> {
    await this.domains.update(domain, [
      'partnerId',
      'plan',
      'retentionDays',
      'retentionDaysBefore',
      'retentionLoweredAt',
      'transferMonthlyMb',
      'suspensionCauses',
      'outboundTier',
      'outboundEnforcement',
      'outboundStatus',
      'blockedReason',
      'blockedAt',
      'bounceWindowStart',
      'operatorDailyLimit',
      'operatorMonthlyLimit',
      'clientDailyLimit',
      'clientMonthlyLimit',
      'parentId',
      'wildcardMode',
      'inheritedUntil',
      'inbound',
    ]);
  }

  override async addToCounts(id: number, change: { mailboxes?: number; aliases?: number }): Promise<void> {
    await this.database.write(
      'UPDATE domain SET mailbox_count = mailbox_count + ?, alias_count = alias_count + ? WHERE id = ?',
      [change.mailboxes ?? 0, change.aliases ?? 0, id],
    );
  }

  private async one(scope: PartnerScope, name: DomainName, lock: string): Promise<Domain | null> {
    const own = scope === 'all' ? '' : ' AND d.partner_id = ?';
    return (await this.select(`d.name = ?${own}${lock}`, scope === 'all' ? [name] : [name, scope]))[0] ?? null;
  }

  /** The partner's ref is read by a subselect, not a join, so that a lock on the domain does not lock the partner. */
  private async select(where: string, parameters: Parameter[]): Promise<Domain[]> {
    const rows = await this.database.read(
      `SELECT ${this.domains.columns('d')}, (SELECT p.ref FROM partner p WHERE p.id = d.partner_id) AS partner_ref FROM domain d WHERE ${where}`,
      parameters,
    );
    return rows.map((row) => this.hydrate(row, 'd', row.partner_ref));
  }

  private async readRecords(names: DomainName[]): Promise<(DomainWithParent | null)[]> {
    const distinct = [...new Set(names)];
    const rows = await this.database.read(
      `SELECT ${this.domains.columns('d')}, ${this.verifications.columns('v')}, p.ref AS partner_ref,
              ${this.domains.columns('pd')}, ${this.verifications.columns('pv')}
         FROM domain d
         JOIN partner p ON p.id = d.partner_id
         JOIN verification v ON v.domain_id = d.id
         LEFT JOIN domain pd ON pd.id = d.parent_id
         LEFT JOIN verification pv ON pv.domain_id = pd.id
        WHERE d.name IN (${placeholders(distinct)})`,
      distinct,
    );
    const byName = new Map(rows.map((row) => [row.d__name, this.toRecord(row)]));
    return names.map((name) => byName.get(name) ?? null);
  }

  private toRecord(row: Row): DomainWithParent {
    return {
      domain: this.hydrate(row, 'd', row.partner_ref),
      verification: this.verifications.hydrate(row, 'v'),
      parent:
        row.pd__id === null
          ? null
          : { domain: this.hydrate(row, 'pd', row.partner_ref), verification: this.verifications.hydrate(row, 'pv') },
    };
  }

  private hydrate(row: Row, alias: string, partnerRef: unknown): Domain {
    return this.domains.hydrate(row, alias, { partnerRef: partnerRef === '' ? null : (partnerRef as PartnerRef) });
  }

  /** Equal pages that are asked for at the same time are read once; different ones share a statement. */
  private async readPages(queries: PageQuery[]): Promise<DomainSummary[][]> {
    const distinct = [...new Map(queries.map((query) => [JSON.stringify(query), query])).values()];
    const parts = distinct.map((query, index) => selectPage(query, index));
    const rows = await this.database.read(
      parts.map(({ sql }) => sql).join(' UNION ALL '),
      parts.flatMap(({ parameters }) => parameters),
    );
    const answers = distinct.map((): DomainSummary[] => []);
    for (const row of rows) {
      answers[Number(row.part)]?.push({
        id: Number(row.id),
        name: row.name as DomainName,
        createdAt: new Date(Number(row.created_at)),
      });
    }
    for (const answer of answers) answer.sort((left, right) => left.id - right.id);
    const byQuery = new Map(distinct.map((query, index) => [JSON.stringify(query), answers[index] ?? []]));
    return queries.map((query) => byQuery.get(JSON.stringify(query)) ?? []);
  }
}

function selectPage({ scope, partnerRef, page }: PageQuery, index: number): { sql: string; parameters: Parameter[] } {
  const conditions = ['id > ?'];
  const parameters: Parameter[] = [page.after];
  if (scope !== 'all') {
    conditions.push('partner_id = ?');
    parameters.push(scope);
  }
  if (partnerRef !== undefined) {
    conditions.push('partner_id = (SELECT id FROM partner WHERE ref = ?)');
    parameters.push(partnerRef);
  }
  return {
    sql: `SELECT * FROM (SELECT ${index} AS part, id, name, created_at FROM domain WHERE ${conditions.join(' AND ')} ORDER BY id LIMIT ?) AS page${index}`,
    parameters: [...parameters, page.limit],
  };
}
