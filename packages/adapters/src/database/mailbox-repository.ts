import { Batcher } from '@mailstead/core/batcher';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { AppError } from '@mailstead/core/errors';
import type { Address } from '@mailstead/core/mailboxes/address';
import { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import type { ReadPage } from '@mailstead/core/page';
import type { PartnerRef, PartnerScope } from '@mailstead/core/partners/partner';
import type { StoredMailbox } from '@mailstead/core/retention/mail-store';
import { EntitySchema } from 'typeorm';
import { type Database, type Parameter, placeholders } from './driver/database.js';
import { isDuplicateError } from './driver/database-error.js';
import { Columns, type Dialect } from './driver/dialect.js';
import { Filter } from './driver/filter.js';
import { readAhead, readIds } from './driver/read-ahead.js';
import { Table } from './driver/table.js';

const HOMES_PER_READ = 1_000;

/** The columns of a mailbox: those of `mailbox`, and of `deleted_mailbox`, which keeps whole rows. */
export function mailboxColumns(dialect: Dialect) {
  const columns = new Columns(dialect);
  return {
    id: columns.id(),
    domainId: columns.ref({ name: 'domain_id' }),
    email: columns.name(254),
    localPart: columns.name(64, { name: 'local_part' }),
    name: columns.text(128, { nullable: true }),
    passwordHash: columns.exact(255, { name: 'password_hash' }),
    quotaMb: columns.integer({ name: 'quota_mb' }),
    outboundDailyLimit: columns.integer({ name: 'outbound_daily_limit' }),
    active: columns.flag(),
    home: columns.exact(32),
    createdAt: columns.time({ name: 'created_at' }),
  };
}

export function mailboxSchema(dialect: Dialect): EntitySchema<Mailbox> {
  return new EntitySchema<Mailbox>({
    name: 'Mailbox',
    target: Mailbox,
    tableName: 'mailbox',
    columns: mailboxColumns(dialect),
    uniques: [{ name: 'uq_mailbox_email', columns: ['email'] }],
    indices: [{ name: 'ix_mailbox_domain', columns: ['domainId', 'id'] }],
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

export class TypeormMailboxRepository extends MailboxRepository {
  private readonly table: Table<Mailbox>;
  private readonly lookUps: Batcher<Address, { mailbox: Mailbox; partnerId: number } | null>;

  constructor(private readonly database: Database) {
    super();
    this.table = new Table(database, Mailbox);
    this.lookUps = new Batcher((emails) => this.findAll(emails), { maxItems: 500, maxInFlight: 2 });
  }

  override async find(scope: PartnerScope, email: Address): Promise<Mailbox | null> {
    const inTransaction = this.database.currentTransaction() !== undefined;
    const found = inTransaction ? ((await this.findAll([email]))[0] ?? null) : await this.lookUps.call(email);
    return found !== null && (scope === 'all' || found.partnerId === scope) ? found.mailbox : null;
  }

  override async lock(scope: PartnerScope, email: Address): Promise<Mailbox | null> {
    const visible = await this.find(scope, email);
    if (visible === null) return null;
    return (await this.select(`m.id = ?${this.database.forUpdate}`, [visible.id]))[0] ?? null;
  }

  override list(
    scope: PartnerScope,
    { partnerRef, domain }: { partnerRef?: PartnerRef | undefined; domain?: DomainName | undefined },
  ): ReadPage<Mailbox> {
    const after = (id: number) =>
      new Filter('m.id > ?', id).ofDomains(scope, partnerRef, 'm.domain_id').ofDomain(domain, 'm.domain_id');
    const page: ReadPage<Mailbox> = ({ after: id, limit }) => this.selectBy(after(id), limit);
    if (domain !== undefined || (scope === 'all' && partnerRef === undefined)) return page;
    return readAhead({
      page,
      ids: ({ after: id, limit }) => readIds(this.database, 'mailbox m', 'm.id', after(id), limit),
      rows: (ids) =>
        this.selectBy(
          new Filter('1 = 1').among('m.id', ids).withinDomains(scope, partnerRef, 'm.domain_id'),
          ids.length,
        ),
    });
  }

  override async *homes(domainId: number): AsyncGenerator<StoredMailbox[]> {
    for (let after = 0; ; ) {
      const rows = await this.database.read(
        'SELECT id, email, home FROM mailbox WHERE domain_id = ? AND id > ? ORDER BY id LIMIT ?',
        [domainId, after, HOMES_PER_READ],
      );
      if (rows.length > 0) yield rows.map(({ email, home }) => ({ email: String(email), home: String(home) }));
      const last = rows.at(-1);
      if (last === undefined || rows.length < HOMES_PER_READ) return;
      after = Number(last.id);
    }
  }

  override async add(mailbox: Mailbox): Promise<Mailbox> {
    try {
      return await this.table.insert(mailbox);
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('mailbox_exists', { cause: error }) : error;
    }
  }

  override async save(mailbox: Mailbox): Promise<void> {
    await this.table.update(mailbox, ['name', 'passwordHash', 'quotaMb', 'outboundDailyLimit', 'active']);
  }

  override async setQuota(domainId: number, fromMb: number | null, toMb: number): Promise<number> {
    const from = fromMb === null ? '' : ' AND quota_mb = ?';
    const { affected } = await this.database.write(
      `UPDATE mailbox SET quota_mb = ? WHERE domain_id = ? AND quota_mb <> ?${from}`,
      fromMb === null ? [toMb, domainId, toMb] : [toMb, domainId, toMb, fromMb],
    );
    return affected;
  }

  private async findAll(emails: Address[]): Promise<({ mailbox: Mailbox; partnerId: number } | null)[]> {
    const distinct = [...new Set(emails)];
    const rows = await this.database.read(
      `SELECT ${this.table.columns('m')}, d.partner_id FROM mailbox m JOIN domain d ON d.id = m.domain_id WHERE m.email IN (${placeholders(distinct)})`,
      distinct,
    );
    const byEmail = new Map(
      rows.map((row) => [row.m__email, { mailbox: this.table.hydrate(row, 'm'), partnerId: Number(row.partner_id) }]),
    );
    return emails.map((email) => byEmail.get(email) ?? null);
  }

  private selectBy({ sql, parameters }: Filter, limit: number): Promise<Mailbox[]> {
    return this.select(`${sql} ORDER BY m.id LIMIT ?`, [...parameters, limit]);
  }

  private async select(where: string, parameters: Parameter[]): Promise<Mailbox[]> {
    const rows = await this.database.read(
      `SELECT ${this.table.columns('m')} FROM mailbox m WHERE ${where}`,
      parameters,
    );
    return rows.map((row) => this.table.hydrate(row, 'm'));
  }
}
