import {
  type AliasUsage,
  type DomainUsage,
  type MailboxUsage,
  UsageReader,
} from '@mailstead/core/api-keys/api-key-repository';
import type { Page } from '@mailstead/core/page';
import type { PartnerScope } from '@mailstead/core/partners/partner';
import type { Database, Row } from './database.js';
import { Filter } from './filter.js';

export class TypeormUsageReader extends UsageReader {
  constructor(private readonly database: Database) {
    super();
  }

  override async domains(partner: PartnerScope, since: Date | null, page: Page): Promise<DomainUsage[]> {
    const rows = await this.select(
      'name',
      'domain t',
      new Filter('t.id > ?', page.after).and('t.partner_id = ?', partner),
      since,
      page,
    );
    return rows.map((row) => ({ ...base(row), name: String(row.name) }));
  }

  override async mailboxes(partner: PartnerScope, since: Date | null, page: Page): Promise<MailboxUsage[]> {
    const filter = new Filter('t.id > ?', page.after).ofDomains(partner, undefined, 't.domain_id');
    const rows = await this.select('email', 'mailbox t', filter, since, page);
    return rows.map((row) => ({ ...base(row), email: String(row.email) }));
  }

  override async aliases(partner: PartnerScope, since: Date | null, page: Page): Promise<AliasUsage[]> {
    const filter = new Filter('t.id > ?', page.after).ofDomains(partner, undefined, 't.domain_id');
    const rows = await this.select('address, t.destination', 'alias t', filter, since, page);
    return rows.map((row) => ({ ...base(row), address: String(row.address), destination: String(row.destination) }));
  }

  private select(columns: string, table: string, filter: Filter, since: Date | null, page: Page): Promise<Row[]> {
    filter.and('t.created_at > ?', since?.getTime());
    return this.database.read(
      `SELECT t.id, t.created_at, t.${columns} FROM ${table} WHERE ${filter.sql} ORDER BY t.id LIMIT ?`,
      [...filter.parameters, page.limit],
    );
  }
}

function base(row: Row): { id: number; createdAt: Date } {
  return { id: Number(row.id), createdAt: new Date(Number(row.created_at)) };
}
