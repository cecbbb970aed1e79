import { AppError } from '@mailstead/core/errors';
import type { Address } from '@mailstead/core/mailboxes/address';
import { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import { type MailboxFilter, MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import type { StoredMailbox } from '@mailstead/core/mailboxes/stored-mailbox';
import { needs } from '@mailstead/core/needs';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { CountedSearch } from '@mailstead/core/search';
import { EntitySchema, Not } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database } from '../driver/database.js';
import { isDuplicateError } from '../driver/database-error.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { partnerCopy } from '../partners/partner-copy.js';
import { MailboxStatements } from './mailbox-statements.js';

/**
 * The columns of `mailbox` and of `deleted_mailbox`, which keeps complete rows. `MailboxRepository.save` does not write
 * columns with `update: false`.
 */
export function mailboxColumns(dialect: Dialect) {
  const columns = new Columns(dialect);
  return {
    id: columns.id(),
    domainId: columns.ref({ name: 'domain_id', update: false }),
    email: columns.name(254, { update: false }),
    localPart: columns.name(64, { name: 'local_part', update: false }),
    name: columns.text(128, { nullable: true }),
    passwordHash: columns.exact(255, { name: 'password_hash' }),
    quotaMb: columns.integer({ name: 'quota_mb' }),
    outboundDailyLimit: columns.integer({ name: 'outbound_daily_limit' }),
    active: columns.flag(),
    externalRef: columns.text(128, { name: 'external_ref', nullable: true }),
    home: columns.exact(32, { update: false }),
    createdAt: columns.time({ name: 'created_at', update: false }),
    restoredAt: columns.time({ name: 'restored_at', nullable: true, update: false }),
    revokedAt: columns.time({ name: 'revoked_at', nullable: true }),
    revision: columns.integer({ default: 1 }),
    ...partnerCopy(dialect),
  } satisfies ColumnsOf<Mailbox>;
}

export function mailboxSchema(dialect: Dialect): EntitySchema<Mailbox> {
  return new EntitySchema<Mailbox>({
    name: 'Mailbox',
    target: Mailbox,
    tableName: 'mailbox',
    columns: mailboxColumns(dialect),
    uniques: [{ name: 'uq_mailbox_email', columns: ['email'] }],
    indices: [
      { name: 'ix_mailbox_domain', columns: ['domainId', 'id'] },
      { name: 'ix_mailbox_partner', columns: ['partnerCopy'] },
      { name: 'ix_mailbox_partner_email', columns: ['partnerCopy', 'email'] },
      { name: 'ix_mailbox_active', columns: ['active', 'partnerCopy'] },
      { name: 'ix_mailbox_external_ref', columns: ['externalRef', 'partnerCopy'] },
      // For the beginning of the reference, which other partners' references have too.
      { name: 'ix_mailbox_partner_external_ref', columns: ['partnerCopy', 'externalRef'] },
    ],
    foreignKeys: [
      {
        target: 'Domain',
        columnNames: ['domainId'],
        referencedColumnNames: ['id'],
        name: 'fk_mailbox_domain',
        onDelete: 'NO ACTION',
        onUpdate: 'NO ACTION',
      },
    ],
  });
}

@needs(Database)
export class TypeormMailboxRepository extends MailboxRepository {
  private readonly statements: MailboxStatements;

  constructor(private readonly database: Database) {
    super();
    this.statements = new MailboxStatements(database);
  }

  override find(scope: PartnerScope, email: Address): Promise<Mailbox | null> {
    return this.statements.find(scope, email);
  }

  override async lock(scope: PartnerScope, email: Address): Promise<Mailbox | null> {
    const visible = await this.find(scope, email);
    if (visible === null) return null;
    return this.database.manager.findOne(Mailbox, {
      where: { id: visible.id },
      lock: { mode: 'pessimistic_write' },
    });
  }

  override search(scope: PartnerScope, filter: MailboxFilter): CountedSearch<Mailbox> {
    return this.statements.search(scope, filter);
  }

  override homes(domainId: number): AsyncIterable<StoredMailbox[]> {
    return this.statements.homes(domainId);
  }

  override async add(mailbox: Mailbox): Promise<Mailbox> {
    try {
      return await this.statements.insert(mailbox);
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('mailbox_exists', { cause: error }) : error;
    }
  }

  override async save(mailbox: Mailbox): Promise<void> {
    await this.database.manager.update(Mailbox, { id: mailbox.id }, mailbox);
  }

  override async noteRevoked({ id }: Pick<Mailbox, 'id'>, at: Date): Promise<void> {
    await this.database.write(
      'UPDATE mailbox SET revoked_at = ? WHERE id = ? AND (revoked_at IS NULL OR revoked_at < ?)',
      [at.getTime(), id, at.getTime()],
    );
  }

  override async setQuota(domainId: number, fromMb: number | null, toMb: number): Promise<number> {
    const update = this.database.manager
      .createQueryBuilder()
      .update(Mailbox)
      .set({ quotaMb: toMb, revision: () => 'revision + 1' })
      .where({ domainId })
      .andWhere({ quotaMb: Not(toMb) });
    if (fromMb !== null) update.andWhere({ quotaMb: fromMb });
    return (await update.execute()).affected ?? 0;
  }
}
