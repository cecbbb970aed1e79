import { Batcher } from '@mailstead/core/batcher';
import { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { AncestorDomain, DomainSummary, DomainWithParent } from '@mailstead/core/domains/domain-repository';
import type { Page } from '@mailstead/core/page';
import type { PartnerRef, PartnerStage } from '@mailstead/core/partners/partner';
import { isInScope, type PartnerScope } from '@mailstead/core/partners/partner-scope';
import { Verification } from '@mailstead/core/relay/verification';
import { type Database, placeholders, type Row } from '../driver/database.js';
import type { Dialect } from '../driver/dialect.js';
import { Filter } from '../driver/filter.js';
import { inOrder } from '../driver/in-order.js';
import type { Statement } from '../driver/session.js';
import { Table } from '../driver/table.js';
import { addSuffixes } from './domain-suffixes.js';

interface PageQuery {
  scope: PartnerScope;
  partnerRef: PartnerRef | undefined;
  page: Page;
}

const WITH_PARTNER = 'domain d JOIN partner p ON p.id = d.partner_id JOIN verification v ON v.domain_id = d.id';
const HAS_REASONS = 'EXISTS (SELECT 1 FROM domain_attention a WHERE a.domain_id = d.id) AS has_reasons';

/**
 * The reads of domains for creations, requests and the list. Plain SQL, because it is faster. On SQLite,
 * `manager.findOneBy(Domain)` takes 177 µs of processor time, and the same SQL hydrated by `Table` 43 µs. An insert
 * takes 168 µs with TypeORM and 44 µs here. `CreateDomain` took twice as long with TypeORM (2 virtual cores, 22
 * November 2026).
 */
export class DomainStatements {
  private readonly domains: Table<Domain>;
  private readonly verifications: Table<Verification>;
  private readonly lookUps: Batcher<DomainName, DomainWithParent | null>;
  private ownList: string | undefined;
  private readonly pages: Batcher<PageQuery, DomainSummary[]>;

  constructor(private readonly database: Database) {
    this.domains = new Table(database, Domain);
    this.verifications = new Table(database, Verification);
    this.lookUps = new Batcher((names) => this.readAll(names), { maxItems: 500, maxInFlight: 2 });
    this.pages = new Batcher((queries) => this.readPages(queries), { maxItems: 50, maxInFlight: 2 });
  }

  async findWithParent(scope: PartnerScope, name: DomainName): Promise<DomainWithParent | null> {
    const found = await this.lookUps.call(name);
    return found !== null && isInScope(scope, found.domain) ? asSeenBy(scope, found) : null;
  }

  async find(scope: PartnerScope, name: DomainName): Promise<Domain | null> {
    const [row] = await this.rows(byName(scope, name), '');
    return row === undefined ? null : this.domains.hydrate(row, 'd', ofPartner(row));
  }

  /** Locks the domains, not their partners, until the end of the unit of work. */
  async lock(scope: PartnerScope, name: DomainName): Promise<Domain | null> {
    return (await this.lockAll(byName(scope, name)))[0] ?? null;
  }

  async lockAll(filter: Filter): Promise<Domain[]> {
    const rows = await this.rows(filter, ` ORDER BY d.id${this.database.dialect.forUpdate}`);
    return rows.map((row) => this.domains.hydrateLocked(row, 'd', ofPartner(row)));
  }

  save(domain: Domain): Promise<void> {
    return this.domains.save(domain);
  }

  async insert(domain: Domain): Promise<Domain> {
    await this.domains.insert(domain);
    await addSuffixes(this.database, domain);
    return domain;
  }

  page({ scope, partnerRef, page }: PageQuery): Promise<DomainSummary[]> {
    // A scope may be a caller, with the ids of its request, and equal queries share one reading.
    const rows = scope === 'all' ? scope : { partnerId: scope.partnerId, domainIds: scope.domainIds };
    return this.pages.call({ scope: rows, partnerRef, page });
  }

  /** The domains with these ids that are in the scope, each with its verification and its parent. */
  async withParents(scope: PartnerScope, ids: readonly number[]): Promise<DomainWithParent[]> {
    const { sql, parameters } = new Filter('d.id > 0').among('d.id', ids).inScope(scope, 'd.partner_id', 'd.id');
    const rows = await this.database.read(`${this.selectWithParent()} WHERE ${sql}`, parameters);
    return rows.map((row) => asSeenBy(scope, this.withParent(row)));
  }

  async ancestors(names: DomainName[]): Promise<AncestorDomain[]> {
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

  private rows({ sql, parameters }: Filter, end: string): Promise<Row[]> {
    return this.database.read(
      `SELECT ${this.domains.columns('d')}, (SELECT p.ref FROM partner p WHERE p.id = d.partner_id) AS partner_ref,
              (SELECT p.stage FROM partner p WHERE p.id = d.partner_id) AS partner_stage
         FROM domain d WHERE ${sql}${end}`,
      parameters,
    );
  }

  private async readAll(names: DomainName[]): Promise<(DomainWithParent | null)[]> {
    const distinct = [...new Set(names)];
    // A domain with several reasons has several rows. The subselect of `HAS_REASONS`, and the choice of an order, take
    // MariaDB a quarter of the time (decision 0042).
    const rows = await this.database.read(
      `SELECT ${this.database.dialect.inThisOrder}${this.ownColumns()}, a.domain_id IS NOT NULL AS has_reasons
         FROM ${WITH_PARTNER} LEFT JOIN domain_attention a ON a.domain_id = d.id
        WHERE d.name IN (${placeholders(distinct)})`,
      distinct,
    );
    const byName = new Map<unknown, DomainWithParent>();
    const children = new Set<unknown>();
    for (const row of rows) {
      if (row.d__parent_id !== null) children.add(row.d__name);
      else if (!byName.has(row.d__name)) byName.set(row.d__name, { ...this.own(row, ofPartner(row)), parent: null });
    }
    for (const row of await this.namedWithParents([...children] as DomainName[])) {
      byName.set(row.d__name, this.withParent(row));
    }
    return names.map((name) => byName.get(name) ?? null);
  }

  /** Only domains with a parent are read so: the joins take MariaDB twice as long (decision 0036). */
  private async namedWithParents(names: DomainName[]): Promise<Row[]> {
    if (names.length === 0) return [];
    return this.database.read(`${this.selectWithParent()} WHERE d.name IN (${placeholders(names)})`, names);
  }

  private ownColumns(): string {
    this.ownList ??= `${this.domains.columns('d')}, ${this.verifications.columns('v')}, p.ref AS partner_ref, p.stage AS partner_stage`;
    return this.ownList;
  }

  private selectWithParent(): string {
    return `SELECT ${this.ownColumns()}, ${HAS_REASONS}, ${this.domains.columns('pd')}, ${this.verifications.columns('pv')}
         FROM ${WITH_PARTNER}
         LEFT JOIN domain pd ON pd.id = d.parent_id
         LEFT JOIN verification pv ON pv.domain_id = pd.id`;
  }

  private own(row: Row, partner: PartnerOfDomain): Omit<DomainWithParent, 'parent'> {
    return {
      domain: this.domains.hydrate(row, 'd', partner),
      verification: this.verifications.hydrate(row, 'v'),
      hasReasons: Number(row.has_reasons) === 1,
    };
  }

  /** The parent has the domain's `partnerRef` and `partnerStage`: a linked parent belongs to the same partner. */
  private withParent(row: Row): DomainWithParent {
    const partner = ofPartner(row);
    return {
      ...this.own(row, partner),
      parent:
        row.pd__id === null
          ? null
          : {
              domain: this.domains.hydrate(row, 'pd', partner),
              verification: this.verifications.hydrate(row, 'pv'),
              isVisible: true,
            },
    };
  }

  /** Reads equal pages of concurrent callers once, and different pages with one statement. */
  private async readPages(queries: PageQuery[]): Promise<DomainSummary[][]> {
    const keys = queries.map((query) => JSON.stringify(query));
    const distinct = [...new Map(queries.map((query, index) => [keys[index], query]))];
    const { dialect } = this.database;
    const parts = distinct.map(([, query], index) => selectPage(query, index, dialect));
    const texts = parts.map(({ sql }, index) => (parts.length === 1 ? sql : dialect.limitedPart(sql, `page${index}`)));
    const rows = await this.database.read(
      texts.join(' UNION ALL '),
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
    const byQuery = new Map(distinct.map(([key, { page }], index) => [key, inOrder(answers[index] ?? [], page.order)]));
    return keys.map((key) => byQuery.get(key) ?? []);
  }
}

/** Without a domain whose deletion has begun, so that nothing in it is changed any more. */
function byName(scope: PartnerScope, name: DomainName): Filter {
  const isKept = 'NOT EXISTS (SELECT 1 FROM domain_deletion x WHERE x.domain_id = d.id)';
  return new Filter(`d.name = ? AND ${isKept}`, name).inScope(scope, 'd.partner_id', 'd.id');
}

type PartnerOfDomain = Pick<Domain, 'partnerRef' | 'partnerStage'>;

function ofPartner({ partner_ref: ref, partner_stage: stage }: Row): PartnerOfDomain {
  return { partnerRef: ref === '' ? null : (ref as PartnerRef), partnerStage: stage as PartnerStage | null };
}

/**
 * Adds to the counts of a domain, and notes the highest number of mailboxes of the day. `save` does not write the
 * counts: their columns are `update: false`.
 */
export async function addToCounts(
  database: Database,
  id: number,
  { mailboxes = 0, aliases = 0 }: { mailboxes?: number; aliases?: number },
): Promise<void> {
  // MySQL assigns from left to right, so the highest number of the day is first.
  const highest = database.dialect.greatest('usage_mailboxes', 'mailbox_count + ?');
  await database.write(
    `UPDATE domain SET usage_mailboxes = ${highest}, mailbox_count = mailbox_count + ?, alias_count = alias_count + ? WHERE id = ?`,
    [mailboxes, mailboxes, aliases, id],
  );
}

function selectPage({ scope, partnerRef, page }: PageQuery, index: number, dialect: Dialect): Statement {
  const filter = Filter.ofPage('id', page)
    .inScope(scope, 'partner_id', 'id')
    .and('partner_id = (SELECT id FROM partner WHERE ref = ?)', partnerRef);
  const isOfPartner = partnerRef !== undefined || (scope !== 'all' && scope.domainIds === null);
  // Without it MariaDB reads all domains of the partner up to those in the middle.
  const hint = isOfPartner ? dialect.byIndex('ix_domain_partner') : dialect.byPrimaryKey;
  return {
    sql: `SELECT ${index} AS part, id, name, created_at FROM domain${hint} WHERE ${filter.sql} ORDER BY ${Filter.orderOf('id', page)} LIMIT ?`,
    parameters: [...filter.parameters, page.limit],
  };
}

/** Found domains are shared by concurrent callers, so this one is not changed. */
function asSeenBy(scope: PartnerScope, found: DomainWithParent): DomainWithParent {
  const { parent } = found;
  return parent === null || isInScope(scope, parent.domain)
    ? found
    : { ...found, parent: { ...parent, isVisible: false } };
}
