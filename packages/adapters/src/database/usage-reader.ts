import {
  type AliasUsage,
  type DomainUsage,
  type MailboxUsage,
  UsageReader,
} from '@mailstead/core/api-keys/api-key-repository';
import type { ReadPage } from '@mailstead/core/page';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { Database, Row } from './driver/database.js';
import { Filter } from './driver/filter.js';
import { readAhead, readIds } from './driver/read-ahead.js';

export class TypeormUsageReader extends UsageReader {
  constructor(private readonly database: Database) {
    super();
  }

  override domains(partner: PartnerScope, since: Date | null): ReadPage<DomainUsage> {
    return async ({ after, limit }) => {
      const filter = new Filter('t.id > ?', after).inScope(partner, 't.partner_id', 't.id');
      const rows = await this.select('name', 'domain t', createdAfter(filter, since), limit);
      return rows.map((row) => ({ ...base(row), name: String(row.name) }));
    };
  }

  override mailboxes(partner: PartnerScope, since: Date | null): ReadPage<MailboxUsage> {
    return this.ofDomains('mailbox t', 'email', partner, since, (row) => ({ ...base(row), email: String(row.email) }));
  }

  override aliases(partner: PartnerScope, since: Date | null): ReadPage<AliasUsage> {
    return this.ofDomains('alias t', 'address, t.destination', partner, since, (row) => ({
      ...base(row),
      address: String(row.address),
      destination: String(row.destination),
    }));
  }

  private ofDomains<Usage>(
    table: string,
    columns: string,
    partner: PartnerScope,
    since: Date | null,
    toUsage: (row: Row) => Usage,
  ): ReadPage<Usage> {
    const after = (id: number) =>
      createdAfter(new Filter('t.id > ?', id).ofDomains(partner, undefined, 't.domain_id'), since);
    const select = async (filter: Filter, limit: number) =>
      (await this.select(columns, table, filter, limit)).map(toUsage);
    return readAhead({
      page: ({ after: id, limit }) => select(after(id), limit),
      ids: ({ after: id, limit }) => readIds(this.database, table, 't.id', after(id), { after: id, limit }),
      rows: (ids) =>
        select(new Filter('1 = 1').among('t.id', ids).withinDomains(partner, undefined, 't.domain_id'), ids.length),
    });
  }

  private select(columns: string, table: string, { sql, parameters }: Filter, limit: number): Promise<Row[]> {
    return this.database.read(
      `SELECT t.id, t.created_at, t.${columns} FROM ${table} WHERE ${sql} ORDER BY t.id LIMIT ?`,
      [...parameters, limit],
    );
  }
}

/** A restored row keeps its creation time. It is listed again, because the caller may have missed it or dropped it. */
function createdAfter(filter: Filter, since: Date | null): Filter {
  return filter.and('COALESCE(t.restored_at, t.created_at) > ?', since?.getTime());
}

function base(row: Row): { id: number; createdAt: Date } {
  return { id: Number(row.id), createdAt: new Date(Number(row.created_at)) };
}
