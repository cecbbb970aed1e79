import { Alias, MAX_DESTINATIONS } from '@mailstead/core/aliases/alias';
import { type AliasFilter, AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { AppError } from '@mailstead/core/errors';
import type { ReadPage } from '@mailstead/core/page';
import type { PartnerScope } from '@mailstead/core/partners/partner';
import { EntitySchema } from 'typeorm';
import { chunksOf } from './driver/chunks.js';
import { type Database, type Parameter, placeholders } from './driver/database.js';
import { isDuplicateError } from './driver/database-error.js';
import { Columns, type Dialect } from './driver/dialect.js';
import { Filter } from './driver/filter.js';
import { readAhead, readIds } from './driver/read-ahead.js';
import { Table } from './driver/table.js';

/** The columns of an alias: those of `alias`, and of `deleted_alias`, which keeps whole rows. */
export function aliasColumns(dialect: Dialect) {
  const columns = new Columns(dialect);
  return {
    id: columns.id(),
    domainId: columns.ref({ name: 'domain_id' }),
    address: columns.name(254),
    destination: columns.name(254),
    destinationMailboxId: columns.ref({ name: 'destination_mailbox_id', nullable: true }),
    createdAt: columns.time({ name: 'created_at' }),
  };
}

export function aliasSchema(dialect: Dialect): EntitySchema<Alias> {
  return new EntitySchema<Alias>({
    name: 'Alias',
    target: Alias,
    tableName: 'alias',
    columns: aliasColumns(dialect),
    uniques: [{ name: 'uq_alias_address_destination', columns: ['address', 'destination'] }],
    indices: [
      { name: 'ix_alias_domain', columns: ['domainId', 'id'] },
      { name: 'ix_alias_destination', columns: ['destination'] },
      { name: 'ix_alias_mailbox', columns: ['destinationMailboxId'] },
    ],
    foreignKeys: [
      {
        target: 'Domain',
        columnNames: ['domainId'],
        referencedColumnNames: ['id'],
        name: 'fk_alias_domain',
        onDelete: 'NO ACTION',
        onUpdate: 'NO ACTION',
      },
      {
        target: 'Mailbox',
        columnNames: ['destinationMailboxId'],
        referencedColumnNames: ['id'],
        name: 'fk_alias_mailbox',
        onDelete: 'CASCADE',
        onUpdate: 'NO ACTION',
      },
    ],
  });
}

export class TypeormAliasRepository extends AliasRepository {
  private readonly table: Table<Alias>;

  constructor(private readonly database: Database) {
    super();
    this.table = new Table(database, Alias);
  }

  override async find(scope: PartnerScope, id: number): Promise<Alias | null> {
    const conditions = new Filter('a.id = ?', id).ofDomains(scope, undefined, 'a.domain_id');
    return (await this.select(conditions.sql, conditions.parameters))[0] ?? null;
  }

  override list(scope: PartnerScope, { address, destination, partnerRef, domain }: AliasFilter): ReadPage<Alias> {
    // A mailbox of ours is in lower case; elsewhere the case is what was given.
    const destinations = destination === undefined ? undefined : [destination, destination.toLowerCase()];
    const after = (id: number) =>
      new Filter('a.id > ?', id)
        .and('a.address = ?', address)
        .among('a.destination', destinations)
        .ofDomains(scope, partnerRef, 'a.domain_id')
        .ofDomain(domain, 'a.domain_id');
    const page: ReadPage<Alias> = ({ after: id, limit }) => this.selectBy(after(id), limit);
    if ((address ?? destination ?? domain) !== undefined || (scope === 'all' && partnerRef === undefined)) return page;
    return readAhead({
      page,
      ids: ({ after: id, limit }) => readIds(this.database, 'alias a', 'a.id', after(id), limit),
      rows: (ids) =>
        this.selectBy(
          new Filter('1 = 1').among('a.id', ids).withinDomains(scope, partnerRef, 'a.domain_id'),
          ids.length,
        ),
    });
  }

  override ofAddress(scope: PartnerScope, address: string): Promise<Alias[]> {
    const conditions = new Filter('a.address = ?', address).ofDomains(scope, undefined, 'a.domain_id');
    return this.select(`${conditions.sql} ORDER BY a.id LIMIT ?`, [...conditions.parameters, MAX_DESTINATIONS]);
  }

  override async countTo(partnerId: number, destination: string, atMost: number): Promise<number> {
    const rows = await this.database.read(
      `SELECT COUNT(*) AS aliases FROM (
         SELECT a.id FROM alias a JOIN domain d ON d.id = a.domain_id
          WHERE a.destination = ? AND d.partner_id = ? LIMIT ?) AS counted`,
      [destination, partnerId, atMost],
    );
    return Number(rows[0]?.aliases ?? 0);
  }

  override async add(alias: Alias): Promise<Alias> {
    try {
      return await this.table.insert(alias);
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('alias_exists', { cause: error }) : error;
    }
  }

  override async remove(aliases: Alias[]): Promise<void> {
    await this.lowerCounts(aliases);
    for (const ids of chunksOf(aliases.map(({ id }) => id))) {
      await this.database.write(`DELETE FROM alias WHERE id IN (${placeholders(ids)})`, ids);
    }
  }

  override crossing(domainId: number, limit: number): Promise<Alias[]> {
    return this.select(
      `a.id IN (
         SELECT x.id FROM alias x JOIN mailbox m ON m.id = x.destination_mailbox_id
          WHERE (x.domain_id = ? AND m.domain_id <> ?) OR (m.domain_id = ? AND x.domain_id <> ?))
       ORDER BY a.id LIMIT ?`,
      [domainId, domainId, domainId, domainId, limit],
    );
  }

  private async lowerCounts(aliases: Alias[]): Promise<void> {
    const perDomain = new Map<number, number>();
    for (const { domainId } of aliases) perDomain.set(domainId, (perDomain.get(domainId) ?? 0) + 1);
    for (const [domainId, count] of [...perDomain].sort(([left], [right]) => left - right)) {
      await this.lowerCount(domainId, count);
    }
  }

  private async lowerCount(domainId: number, count: number): Promise<void> {
    await this.database.write('UPDATE domain SET alias_count = alias_count - ? WHERE id = ?', [count, domainId]);
  }

  private selectBy({ sql, parameters }: Filter, limit: number): Promise<Alias[]> {
    return this.select(`${sql} ORDER BY a.id LIMIT ?`, [...parameters, limit]);
  }

  private async select(where: string, parameters: Parameter[]): Promise<Alias[]> {
    const rows = await this.database.read(`SELECT ${this.table.columns('a')} FROM alias a WHERE ${where}`, parameters);
    return rows.map((row) => this.table.hydrate(row, 'a'));
  }
}
