import {
  type AliasUsage,
  type DomainUsage,
  type MailboxUsage,
  UsageReader,
} from '@mailstead/core/api-keys/api-key-repository';
import { needs } from '@mailstead/core/needs';
import type { ReadPage } from '@mailstead/core/page';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { Search } from '@mailstead/core/search';
import { Database, type Row } from '../driver/database.js';
import { Filter } from '../driver/filter.js';
import { condition } from '../finding/conditions.js';
import { ContentSearch } from '../finding/content-search.js';
import { searchOf } from '../finding/id-search.js';

/** A restored row keeps its creation time. It is listed again, because the caller may have missed it or dropped it. */
const CREATED_AFTER = 'COALESCE(t.restored_at, t.created_at) > ?';

@needs(Database)
export class SqlUsageReader extends UsageReader {
  constructor(private readonly database: Database) {
    super();
  }

  override domains(partner: PartnerScope, since: Date | null): ReadPage<DomainUsage> {
    return async ({ after, limit }) => {
      const filter = new Filter('t.id > ?', after)
        .inScope(partner, 't.partner_id', 't.id')
        .and(CREATED_AFTER, since?.getTime());
      const hint = partner === 'all' ? '' : this.database.dialect.byIndex('ix_domain_partner');
      const rows = await this.select('name', `domain t${hint}`, filter, limit);
      return rows.map((row) => ({ ...base(row), name: String(row.name) }));
    };
  }

  override mailboxes(partner: PartnerScope, since: Date | null): Search<MailboxUsage> {
    const contents = ContentSearch.mailboxes(this.database);
    return this.search(contents, 'mailbox t', 'email', partner, since, (row) => ({
      ...base(row),
      email: String(row.email),
    }));
  }

  override aliases(partner: PartnerScope, since: Date | null): Search<AliasUsage> {
    const contents = ContentSearch.aliases(this.database);
    return this.search(contents, 'alias t', 'address, t.destination', partner, since, (row) => ({
      ...base(row),
      address: String(row.address),
      destination: String(row.destination),
    }));
  }

  private search<Usage>(
    contents: ContentSearch,
    table: string,
    columns: string,
    partner: PartnerScope,
    since: Date | null,
    toUsage: (row: Row) => Usage,
  ): Search<Usage> {
    const others = since === null ? [] : [condition(CREATED_AFTER, since.getTime())];
    return searchOf(
      () => contents.plan(partner, {}, [], others),
      this.database,
      async (ids) => {
        const filter = new Filter('1 = 1').among('t.id', ids).withinDomains(partner, undefined, 't.domain_id');
        return (await this.select(columns, table, filter, ids.length)).map(toUsage);
      },
    );
  }

  private select(columns: string, table: string, { sql, parameters }: Filter, limit: number): Promise<Row[]> {
    return this.database.read(
      `SELECT t.id, t.created_at, t.${columns} FROM ${table} WHERE ${sql} ORDER BY t.id LIMIT ?`,
      [...parameters, limit],
    );
  }
}

function base(row: Row): { id: number; createdAt: Date } {
  return { id: Number(row.id), createdAt: new Date(Number(row.created_at)) };
}
