import { Alias } from '@mailstead/core/aliases/alias';
import { type AliasFilter, AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { Domain } from '@mailstead/core/domains/domain';
import { AppError } from '@mailstead/core/errors';
import { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import { needs } from '@mailstead/core/needs';
import type { PartnerRows, PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { CountedSearch } from '@mailstead/core/search';
import { EntitySchema } from 'typeorm';
import { addToCounts } from '../domains/domain-statements.js';
import { chunksOf } from '../driver/chunks.js';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database } from '../driver/database.js';
import { isDuplicateError } from '../driver/database-error.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { NO_ID } from '../driver/filter.js';
import { readInstallation } from '../installation/installation.js';
import { partnerCopy } from '../partners/partner-copy.js';
import { AliasStatements } from './alias-statements.js';

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
    restoredAt: columns.time({ name: 'restored_at', nullable: true }),
    ...partnerCopy(dialect),
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
      { name: 'ix_alias_partner', columns: ['partnerCopy'] },
      { name: 'ix_alias_partner_address', columns: ['partnerCopy', 'address'] },
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

@needs(Database)
export class TypeormAliasRepository extends AliasRepository {
  private readonly statements: AliasStatements;

  constructor(private readonly database: Database) {
    super();
    this.statements = new AliasStatements(database);
  }

  override find(scope: PartnerScope, id: number): Promise<Alias | null> {
    const query = this.database.manager.createQueryBuilder(Alias, 'alias').where('alias.id = :id', { id });
    if (scope === 'all') return query.getOne();
    const { partnerId, domainIds } = scope;
    query.innerJoin(Domain, 'domain', 'domain.id = alias.domainId AND domain.partnerId = :partnerId', { partnerId });
    if (domainIds !== null) query.andWhere('alias.domainId IN (:...domainIds)', { domainIds: [NO_ID, ...domainIds] });
    return query.getOne();
  }

  override search(scope: PartnerScope, filter: AliasFilter): CountedSearch<Alias> {
    return this.statements.search(scope, filter);
  }

  override ofAddress(scope: PartnerScope, address: string): Promise<Alias[]> {
    return this.statements.ofAddress(scope, address);
  }

  override countTo(scope: PartnerRows, destination: string, atMost: number): Promise<number> {
    return this.statements.countTo(scope, destination, atMost);
  }

  override async add(alias: Alias): Promise<Alias> {
    try {
      return await this.statements.insert(alias);
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('alias_exists', { cause: error }) : error;
    }
  }

  override async save({ id, destination, destinationMailboxId }: Alias): Promise<void> {
    try {
      await this.database.manager.update(Alias, { id }, { destination, destinationMailboxId });
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

  /** The administrator stores the setting with `grants.sql` of the mail stack. */
  override async isForwardingSetUp(): Promise<boolean> {
    return !this.database.dialect.isReadByMailServers || (await readInstallation(this.database, 'forwarding')) === 'on';
  }

  private async lowerCounts(aliases: Alias[]): Promise<void> {
    const perDomain = new Map<number, number>();
    for (const { domainId } of aliases) perDomain.set(domainId, (perDomain.get(domainId) ?? 0) + 1);
    for (const [domainId, count] of [...perDomain].sort(([left], [right]) => left - right)) {
      await addToCounts(this.database, domainId, { aliases: -count });
    }
  }
}
