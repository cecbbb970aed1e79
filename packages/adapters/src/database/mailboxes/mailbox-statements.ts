import { Batcher } from '@mailstead/core/batcher';
import type { Address } from '@mailstead/core/mailboxes/address';
import { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import type { MailboxFilter } from '@mailstead/core/mailboxes/mailbox-repository';
import type { StoredMailbox } from '@mailstead/core/mailboxes/stored-mailbox';
import type { Page } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { isInScope, type PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { CountedSearch } from '@mailstead/core/search';
import { type Database, placeholders } from '../driver/database.js';
import { Filter } from '../driver/filter.js';
import { Table } from '../driver/table.js';
import { given } from '../finding/conditions.js';
import { ContentSearch } from '../finding/content-search.js';
import { searchOf } from '../finding/id-search.js';
import { PARTNER_OF_DOMAIN } from '../partners/partner-copy.js';

const HOMES_PER_READ = 1_000;

interface Found {
  mailbox: Mailbox;
  partnerId: number;
}

/**
 * The look-up, creation and lists of mailboxes. Plain SQL, because an entity read by TypeORM takes four times as long
 * (`DomainStatements` has the numbers), and `CreateMailbox` with TypeORM took more than twice as long.
 */
export class MailboxStatements {
  private readonly table: Table<Mailbox>;
  private readonly contents: ContentSearch;
  private readonly lookUps: Batcher<Address, Found | null>;

  constructor(private readonly database: Database) {
    this.table = new Table(database, Mailbox, PARTNER_OF_DOMAIN);
    this.contents = ContentSearch.mailboxes(database);
    this.lookUps = new Batcher((emails) => this.findAll(emails), { maxItems: 500, maxInFlight: 2 });
  }

  /** Concurrent calls share one statement, except in a unit of work. */
  async find(scope: PartnerScope, email: Address): Promise<Mailbox | null> {
    const inTransaction = this.database.currentTransaction() !== undefined;
    const found = inTransaction ? ((await this.findAll([email]))[0] ?? null) : await this.lookUps.call(email);
    return found !== null && isInScope(scope, { id: found.mailbox.domainId, partnerId: found.partnerId })
      ? found.mailbox
      : null;
  }

  insert(mailbox: Mailbox): Promise<Mailbox> {
    return this.table.insert(mailbox);
  }

  search(scope: PartnerScope, filter: MailboxFilter): CountedSearch<Mailbox> {
    const { active, externalRef, partnerRef } = filter;
    const equalities = given([
      ['t.external_ref', externalRef, 'ix_mailbox_external_ref'],
      ['t.active', active === undefined ? undefined : Number(active), 'ix_mailbox_active'],
    ]);
    return searchOf(
      () => this.contents.plan(scope, filter, equalities),
      this.database,
      (ids, at) => this.byIds(scope, partnerRef, ids, at),
    );
  }

  async *homes(domainId: number): AsyncGenerator<StoredMailbox[]> {
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

  private async findAll(emails: Address[]): Promise<(Found | null)[]> {
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

  private async byIds(
    scope: PartnerScope,
    partnerRef: PartnerRef | undefined,
    ids: number[],
    at: Page,
  ): Promise<Mailbox[]> {
    const { sql, parameters } = new Filter('1 = 1').among('m.id', ids).withinDomains(scope, partnerRef, 'm.domain_id');
    const rows = await this.database.read(
      `SELECT ${this.table.columns('m')} FROM mailbox m${this.database.dialect.byPrimaryKey} WHERE ${sql} ORDER BY ${Filter.orderOf('m.id', at)}`,
      parameters,
    );
    return rows.map((row) => this.table.hydrate(row, 'm'));
  }
}
