import {
  type DomainFilter,
  DomainFinder,
  type FoundDomain,
  type NeedingDomains,
} from '@mailstead/core/domains/domain-finder';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { DomainSummary } from '@mailstead/core/domains/domain-repository';
import { needs } from '@mailstead/core/needs';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import { type CountedSearch, MAX_LOOKED_AT, type Search } from '@mailstead/core/search';
import { DomainStatements } from '../domains/domain-statements.js';
import { Database } from '../driver/database.js';
import { Filter } from '../driver/filter.js';
import { inOrder } from '../driver/in-order.js';
import { SqlAttentionList } from './attention-list.js';
import { DomainSearch } from './domain-search.js';
import { type SearchLimits, searchOf } from './id-search.js';
import { NeedingDomainsCount } from './needing-domains.js';

const OF_MANY: SearchLimits = { few: MAX_LOOKED_AT, checkedAtOnce: 500 };

/** Plain SQL, like all lists. The rows of a page are read with one statement by the ids
 * that the search found, and their reasons for attention with another. */
@needs(Database)
export class SqlDomainFinder extends DomainFinder {
  private readonly search: DomainSearch;
  private readonly statements: DomainStatements;
  private readonly attention: SqlAttentionList;
  private readonly counts: NeedingDomainsCount;

  constructor(private readonly database: Database) {
    super();
    this.search = new DomainSearch(database);
    this.statements = new DomainStatements(database);
    this.attention = new SqlAttentionList(database);
    this.counts = new NeedingDomainsCount(database);
  }

  override summaries(scope: PartnerScope, filter: DomainFilter, now: Date): CountedSearch<DomainSummary> {
    return searchOf(
      () => this.search.plan(scope, filter, now),
      this.database,
      async (ids, { order }) => inOrder(await this.readSummaries(scope, ids), order),
    );
  }

  override domains(scope: PartnerScope, filter: DomainFilter, now: Date): CountedSearch<FoundDomain> {
    return this.searchDomains(scope, filter, now);
  }

  override manyDomains(scope: PartnerScope, filter: DomainFilter, now: Date): Search<FoundDomain> {
    return this.searchDomains(scope, filter, now, OF_MANY);
  }

  override async needing(
    scope: PartnerScope,
    { partnerRef }: Pick<DomainFilter, 'partnerRef'>,
    now: Date,
  ): Promise<NeedingDomains[]> {
    const counted = await this.counts.ofEachReason(scope, partnerRef, now);
    const ids = [...new Set(counted.flatMap((each) => each.ids))];
    const found = ids.length === 0 ? [] : await this.readDomains(scope, ids, now);
    const domains = new Map(found.map((domain) => [domain.id, domain]));
    return counted.map(({ ids: first, ...counts }) => ({
      ...counts,
      first: first.flatMap((id) => domains.get(id) ?? []),
    }));
  }

  private searchDomains(
    scope: PartnerScope,
    filter: DomainFilter,
    now: Date,
    limits?: SearchLimits,
  ): CountedSearch<FoundDomain> {
    return searchOf(
      () => this.search.plan(scope, filter, now),
      this.database,
      async (ids, { order }) => inOrder(await this.readDomains(scope, ids, now), order),
      limits,
    );
  }

  private async readDomains(scope: PartnerScope, ids: number[], now: Date): Promise<FoundDomain[]> {
    const found = await this.statements.withParents(scope, ids);
    const reasons = await this.attention.ofDomains(ids, now);
    return found.map((each) => ({ ...each, id: each.domain.id, storedReasons: reasons.get(each.domain.id) ?? [] }));
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
