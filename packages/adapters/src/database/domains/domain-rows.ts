import { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { DomainWithParent } from '@mailstead/core/domains/domain-repository';
import type { PartnerRef, PartnerStage } from '@mailstead/core/partners/partner';
import { isInScope, type PartnerScope } from '@mailstead/core/partners/partner-scope';
import { Verification } from '@mailstead/core/relay/verification';
import { type Database, placeholders, type Row, type Statement } from '../driver/database.js';
import { Table } from '../driver/table.js';

const WITH_PARTNER = 'domain d JOIN partner p ON p.id = d.partner_id JOIN verification v ON v.domain_id = d.id';
const HAS_REASONS = 'EXISTS (SELECT 1 FROM domain_attention a WHERE a.domain_id = d.id) AS has_reasons';

type PartnerOfDomain = Pick<Domain, 'partnerRef' | 'partnerStage'>;

/** The rows of domains with what `DomainWithParent` has. */
export class DomainRows {
  private readonly domains: Table<Domain>;
  private readonly verifications: Table<Verification>;
  private ownList: string | undefined;

  constructor(private readonly database: Database) {
    this.domains = new Table(database, Domain);
    this.verifications = new Table(database, Verification);
  }

  /**
   * A domain with several reasons has several rows. The subselect of `HAS_REASONS`, and the choice of an order, take
   * MariaDB a quarter of the time (decision 0042).
   *
   * @param more columns of tables that are joined to the domain `d` or its partner `p`, and their joins
   */
  named(names: readonly DomainName[], more = { columns: '', joins: '' }): Statement {
    return {
      sql: `SELECT ${this.database.dialect.inThisOrder}${this.ownColumns()}, a.domain_id IS NOT NULL AS has_reasons${more.columns}
         FROM ${WITH_PARTNER} LEFT JOIN domain_attention a ON a.domain_id = d.id${more.joins}
        WHERE d.name IN (${placeholders(names)})`,
      parameters: [...names],
    };
  }

  /** @param rows those of `named`. @returns the domains without a parent, and the names of the others */
  separate(rows: readonly Row[]): { found: Map<DomainName, DomainWithParent>; children: DomainName[] } {
    const found = new Map<DomainName, DomainWithParent>();
    const children = new Set<DomainName>();
    for (const row of rows) {
      const name = row.d__name as DomainName;
      if (row.d__parent_id !== null) children.add(name);
      else if (!found.has(name)) found.set(name, { ...this.own(row, ofPartner(row)), parent: null });
    }
    return { found, children: [...children] };
  }

  /** Only domains with a parent are read so: the joins take MariaDB twice as long (decision 0036). */
  async readWithParents(names: readonly DomainName[]): Promise<DomainWithParent[]> {
    if (names.length === 0) return [];
    const rows = await this.database.read(`${this.selectWithParent()} WHERE d.name IN (${placeholders(names)})`, [
      ...names,
    ]);
    return rows.map((row) => this.withParent(row));
  }

  selectWithParent(): string {
    return `SELECT ${this.ownColumns()}, ${HAS_REASONS}, ${this.domains.columns('pd')}, ${this.verifications.columns('pv')}
         FROM ${WITH_PARTNER}
         LEFT JOIN domain pd ON pd.id = d.parent_id
         LEFT JOIN verification pv ON pv.domain_id = pd.id`;
  }

  /** The parent has the domain's `partnerRef` and `partnerStage`: a linked parent belongs to the same partner. */
  withParent(row: Row): DomainWithParent {
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

  private ownColumns(): string {
    this.ownList ??= `${this.domains.columns('d')}, ${this.verifications.columns('v')}, p.ref AS partner_ref, p.stage AS partner_stage`;
    return this.ownList;
  }

  private own(row: Row, partner: PartnerOfDomain): Omit<DomainWithParent, 'parent'> {
    return {
      domain: this.domains.hydrate(row, 'd', partner),
      verification: this.verifications.hydrate(row, 'v'),
      hasReasons: Number(row.has_reasons) === 1,
    };
  }
}

export function ofPartner({ partner_ref: ref, partner_stage: stage }: Row): PartnerOfDomain {
  return { partnerRef: ref === '' ? null : (ref as PartnerRef), partnerStage: stage as PartnerStage | null };
}

/** Found domains are shared by concurrent callers, so this one is not changed. */
export function asSeenBy(scope: PartnerScope, found: DomainWithParent): DomainWithParent {
  const { parent } = found;
  return parent === null || isInScope(scope, parent.domain)
    ? found
    : { ...found, parent: { ...parent, isVisible: false } };
}
