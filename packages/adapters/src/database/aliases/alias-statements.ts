import { Alias, MAX_DESTINATIONS } from '@mailstead/core/aliases/alias';
import type { AliasFilter } from '@mailstead/core/aliases/alias-repository';
import type { Page } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerRows, PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { CountedSearch } from '@mailstead/core/search';
import { type Database, placeholders } from '../driver/database.js';
import { Filter, NO_ID } from '../driver/filter.js';
import { Table } from '../driver/table.js';
import { condition, given } from '../finding/conditions.js';
import { ContentSearch } from '../finding/content-search.js';
import { searchOf } from '../finding/id-search.js';
import type { Condition } from '../finding/search-plan.js';
import { PARTNER_OF_DOMAIN } from '../partners/partner-copy.js';

/**
 * The reads of aliases for creations and lists. Plain SQL, because an entity read by TypeORM takes four times as long
 * (`DomainStatements` has the numbers).
 */
export class AliasStatements {
  private readonly table: Table<Alias>;
  private readonly contents: ContentSearch;

  constructor(private readonly database: Database) {
    this.table = new Table(database, Alias, PARTNER_OF_DOMAIN);
    this.contents = ContentSearch.aliases(database);
  }

  insert(alias: Alias): Promise<Alias> {
    return this.table.insert(alias);
  }

  search(scope: PartnerScope, filter: AliasFilter): CountedSearch<Alias> {
    const { address, partnerRef } = filter;
    const destinations = destinationsOf(filter.destination);
    const others =
      destinations === undefined
        ? []
        : [
            {
              ...condition(`t.destination IN (${placeholders(destinations)})`, ...destinations),
              index: 'ix_alias_destination',
            },
            ...visibleDestination(scope),
          ];
    return searchOf(
      () => this.contents.plan(scope, filter, given([['t.address', address, null]]), others),
      this.database,
      (ids, at) => this.byIds(scope, partnerRef, ids, at),
    );
  }

  ofAddress(scope: PartnerScope, address: string): Promise<Alias[]> {
    return this.select(new Filter('a.address = ?', address).withinDomains(scope, undefined, 'a.domain_id'), {
      after: 0,
      limit: MAX_DESTINATIONS,
    });
  }

  /** Counts in the database, because the number of aliases of a destination has no limit. */
  async countTo(scope: PartnerRows, destination: string, atMost: number): Promise<number> {
    const filter = new Filter('a.destination = ?', destination).inScope(scope, 'd.partner_id', 'd.id');
    const rows = await this.database.read(
      `SELECT COUNT(*) AS aliases FROM (
         SELECT a.id FROM alias a JOIN domain d ON d.id = a.domain_id WHERE ${filter.sql} LIMIT ?) AS counted`,
      [...filter.parameters, atMost],
    );
    return Number(rows[0]?.aliases ?? 0);
  }

  private byIds(
    scope: PartnerScope,
    partnerRef: PartnerRef | undefined,
    ids: number[],
    { order }: Page,
  ): Promise<Alias[]> {
    const filter = new Filter('1 = 1').among('a.id', ids).withinDomains(scope, partnerRef, 'a.domain_id');
    return this.select(filter, { after: 0, limit: ids.length, order }, this.database.dialect.byPrimaryKey);
  }

  private async select({ sql, parameters }: Filter, at: Page, hint = ''): Promise<Alias[]> {
    const rows = await this.database.read(
      `SELECT ${this.table.columns('a')} FROM alias a${hint} WHERE ${sql} ORDER BY ${Filter.orderOf('a.id', at)} LIMIT ?`,
      [...parameters, at.limit],
    );
    return rows.map((row) => this.table.hydrate(row, 'a'));
  }
}

/** The address of a mailbox is stored in lower case, an outside destination as the caller wrote it. */
function destinationsOf(destination: string | undefined): string[] | undefined {
  return destination === undefined ? undefined : [destination, destination.toLowerCase()];
}

/** A caller that is limited to some domains cannot find out, by the filter, what its aliases deliver to elsewhere. */
function visibleDestination(scope: PartnerScope): Condition[] {
  if (scope === 'all' || scope.domainIds === null) return [];
  const ids = [NO_ID, ...scope.domainIds];
  const visible = `SELECT id FROM mailbox WHERE domain_id IN (${placeholders(ids)})`;
  return [condition(`(t.destination_mailbox_id IS NULL OR t.destination_mailbox_id IN (${visible}))`, ...ids)];
}
