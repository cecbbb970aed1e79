import { type DomainFilter, DomainFinder, type FoundDomain } from '@mailstead/core/domains/domain-finder';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { DomainSummary } from '@mailstead/core/domains/domain-repository';
import { needs } from '@mailstead/core/needs';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { Search } from '@mailstead/core/search';
import { DomainStatements } from '../domain-statements.js';
import { Database } from '../driver/database.js';
import { Filter } from '../driver/filter.js';
import { inOrder } from '../driver/in-order.js';
import { SqlAttentionList } from './attention-list.js';
import { DomainSearch } from './domain-search.js';
import { searchOf } from './id-search.js';

/** Plain SQL, like all lists. The rows of a page are read with one statement by the ids
 * that the search found, and their reasons for attention with another. */
@needs(Database)
export class SqlDomainFinder extends DomainFinder {
  private readonly search: DomainSearch;
  private readonly statements: DomainStatements;
  private readonly attention: SqlAttentionList;

  constructor(private readonly database: Database) {
    super();
    this.search = new DomainSearch(database);
    this.statements = new DomainStatements(database);
    this.attention = new SqlAttentionList(database);
  }

  override summaries(scope: PartnerScope, filter: DomainFilter, now: Date): Search<DomainSummary> {
    return searchOf(
      () => this.search.plan(scope, filter, now),
      this.database,
      async (ids, { order }) => inOrder(await this.readSummaries(scope, ids), order),
    );
  }

  override domains(scope: PartnerScope, filter: DomainFilter, now: Date): Search<FoundDomain> {
    return searchOf(
      () => this.search.plan(scope, filter, now),
      this.database,
      async (ids, { order }) => {
        const found = await this.statements.withParents(scope, ids);
        const reasons = await this.attention.ofDomains(ids, now);
        return inOrder(
          found.map((domain) => ({ ...domain, id: domain.domain.id, attention: reasons.get(domain.domain.id) ?? [] })),
          order,
        );
      },
    );
  }

  private async readSummaries(scope: PartnerScope, ids: number[]): Promise<DomainSummary[]> {
    const { sql, parameters } = new Filter('d.id > 0').among('d.id', ids).inScope(scope, 'd.partner_id', 'd.id');
    const rows = await this.database.read(`SELECT d.id, d.name, d.created_at FROM domain d WHERE ${sql}`, parameters);
    return rows.map((row) => ({
      id: Number(row.id),
      name: row.name as DomainName,
      createdAt: new Date(Number(row.created_at)),
    }));
  }
}
