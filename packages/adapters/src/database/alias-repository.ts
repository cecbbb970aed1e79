import { Alias } from '@mailstead/core/aliases/alias';
import { type AliasFilter, AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { Domain } from '@mailstead/core/domains/domain';
import { AppError } from '@mailstead/core/errors';
import { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import type { ReadPage } from '@mailstead/core/page';
import type { PartnerScope } from '@mailstead/core/partners/partner';
import { EntitySchema } from 'typeorm';
import { AliasStatements } from './alias-statements.js';
import { addToCounts } from './domain-statements.js';
import { chunksOf } from './driver/chunks.js';
import type { ColumnsOf } from './driver/columns-of.js';
import type { Database } from './driver/database.js';
import { isDuplicateError } from './driver/database-error.js';
import { Columns, type Dialect } from './driver/dialect.js';

/** The columns of `alias` and of `deleted_alias`, which keeps complete rows. */
export function aliasColumns(dialect: Dialect) {
  const columns = new Columns(dialect);
  return {
    id: columns.id(),
    domainId: columns.ref({ name: 'domain_id' }),
    address: columns.name(254),
    destination: columns.name(254),
    destinationMailboxId: columns.ref({ name: 'destination_mailbox_id', nullable: true }),
    createdAt: columns.time({ name: 'created_at' }),
  } satisfies ColumnsOf<Alias, 'catchAll'>;
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
  private readonly statements: AliasStatements;

  constructor(private readonly database: Database) {
    super();
    this.statements = new AliasStatements(database);
  }

  override find(scope: PartnerScope, id: number): Promise<Alias | null> {
    const query = this.database.manager.createQueryBuilder(Alias, 'alias').where('alias.id = :id', { id });
    if (scope !== 'all')
      query.innerJoin(Domain, 'domain', 'domain.id = alias.domainId AND domain.partnerId = :scope', { scope });
    return query.getOne();
  }

  override list(scope: PartnerScope, filter: AliasFilter): ReadPage<Alias> {
    return this.statements.list(scope, filter);
  }

  override ofAddress(scope: PartnerScope, address: string): Promise<Alias[]> {
    return this.statements.ofAddress(scope, address);
  }

  override countTo(partnerId: number, destination: string, atMost: number): Promise<number> {
    return this.statements.countTo(partnerId, destination, atMost);
  }

  override async add(alias: Alias): Promise<Alias> {
    try {
      return await this.statements.insert(alias);
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('alias_exists', { cause: error }) : error;
    }
  }

  override async remove(aliases: Alias[]): Promise<void> {
    await this.lowerCounts(aliases);
    for (const ids of chunksOf(aliases.map(({ id }) => id))) await this.database.manager.delete(Alias, ids);
  }

  override crossing(domainId: number, limit: number): Promise<Alias[]> {
    return this.database.manager
      .createQueryBuilder(Alias, 'alias')
      .innerJoin(Mailbox, 'mailbox', 'mailbox.id = alias.destinationMailboxId')
      .where('alias.domainId = :domainId AND mailbox.domainId <> :domainId', { domainId })
      .orWhere('mailbox.domainId = :domainId AND alias.domainId <> :domainId')
      .orderBy('alias.id')
      .limit(limit)
      .getMany();
  }

  private async lowerCounts(aliases: Alias[]): Promise<void> {
    const perDomain = new Map<number, number>();
    for (const { domainId } of aliases) perDomain.set(domainId, (perDomain.get(domainId) ?? 0) + 1);
    for (const [domainId, count] of [...perDomain].sort(([left], [right]) => left - right)) {
      await addToCounts(this.database, domainId, { aliases: -count });
    }
  }
}
