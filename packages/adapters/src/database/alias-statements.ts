import { Alias, MAX_DESTINATIONS } from '@mailstead/core/aliases/alias';
import type { AliasFilter } from '@mailstead/core/aliases/alias-repository';
import type { ReadPage } from '@mailstead/core/page';
import type { PartnerScope } from '@mailstead/core/partners/partner';
import type { Database } from './driver/database.js';
import { Filter } from './driver/filter.js';
import { readAhead, readIds } from './driver/read-ahead.js';
import { Table } from './driver/table.js';

/**
 * The reads of aliases for creations and lists. Plain SQL, because an entity read by TypeORM takes four times as long
 * (`DomainStatements` has the numbers).
 */
export class AliasStatements {
  private readonly table: Table<Alias>;

  constructor(private readonly database: Database) {
    this.table = new Table(database, Alias);
  }

  insert(alias: Alias): Promise<Alias> {
    return this.table.insert(alias);
  }

  list(scope: PartnerScope, { address, destination, partnerRef, domain }: AliasFilter): ReadPage<Alias> {
    // The address of a mailbox is stored in lower case, an outside destination as the caller wrote it.
    const destinations = destination === undefined ? undefined : [destination, destination.toLowerCase()];
    const after = (id: number) =>
      new Filter('a.id > ?', id)
        .and('a.address = ?', address)
        .among('a.destination', destinations)
        .ofDomains(scope, partnerRef, 'a.domain_id')
        .ofDomain(domain, 'a.domain_id');
    const page: ReadPage<Alias> = ({ after: id, limit }) => this.select(after(id), limit);
    if ((address ?? destination ?? domain) !== undefined || (scope === 'all' && partnerRef === undefined)) return page;
    return readAhead({
      page,
      ids: ({ after: id, limit }) => readIds(this.database, 'alias a', 'a.id', after(id), limit),
      rows: (ids) =>
        this.select(new Filter('1 = 1').among('a.id', ids).withinDomains(scope, partnerRef, 'a.domain_id'), ids.length),
    });
  }

  ofAddress(scope: PartnerScope, address: string): Promise<Alias[]> {
    return this.select(
      new Filter('a.address = ?', address).ofDomains(scope, undefined, 'a.domain_id'),
      MAX_DESTINATIONS,
    );
  }

  /** Counts in the database, because the number of aliases of a destination has no limit. */
  async countTo(partnerId: number, destination: string, atMost: number): Promise<number> {
    const rows = await this.database.read(
      `SELECT COUNT(*) AS aliases FROM (
         SELECT a.id FROM alias a JOIN domain d ON d.id = a.domain_id
          WHERE a.destination = ? AND d.partner_id = ? LIMIT ?) AS counted`,
      [destination, partnerId, atMost],
    );
    return Number(rows[0]?.aliases ?? 0);
  }

  private async select({ sql, parameters }: Filter, limit: number): Promise<Alias[]> {
    const rows = await this.database.read(
      `SELECT ${this.table.columns('a')} FROM alias a WHERE ${sql} ORDER BY a.id LIMIT ?`,
      [...parameters, limit],
    );
    return rows.map((row) => this.table.hydrate(row, 'a'));
  }
}
