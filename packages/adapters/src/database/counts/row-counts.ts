import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ContentCounts,
  type DomainCounts,
  type OwnCounts,
  type PartnerCounts,
  RowCounts,
  type Slice,
} from '@mailstead/core/counts/row-counts';
import { needs } from '@mailstead/core/needs';
import type { Page } from '@mailstead/core/page';
import { Database, type Row } from '../driver/database.js';

/** Reads a stored count and the number of its rows with one statement, which sees one state of the database. */
@needs(Database)
export class SqlRowCounts extends RowCounts {
  constructor(private readonly database: Database) {
    super();
  }

  override async partners(slice: Slice, page: Page): Promise<PartnerCounts[]> {
    const rows = await this.readPage(
      `SELECT p.id, p.domain_count, p.suppression_count, (SELECT COUNT(*) FROM domain d WHERE d.partner_id = p.id) AS domains,
              (SELECT COUNT(*) FROM suppression s WHERE s.partner_id = p.id) AS suppressions
         FROM partner p WHERE p.id > ? AND p.id % ? = ? ORDER BY p.id LIMIT ?`,
      slice,
      page,
    );
    return rows.map((row) => ({
      id: Number(row.id),
      stored: { domains: Number(row.domain_count), suppressions: Number(row.suppression_count) },
      actual: toOwnCounts(row),
    }));
  }

  override async domains(slice: Slice, page: Page): Promise<DomainCounts[]> {
    const rows = await this.readPage(
      `SELECT d.id, d.partner_id, d.mailbox_count, d.alias_count,
              (SELECT COUNT(*) FROM mailbox m WHERE m.domain_id = d.id) AS mailboxes,
              (SELECT COUNT(*) FROM alias a WHERE a.domain_id = d.id) AS aliases
         FROM domain d WHERE d.id > ? AND d.id % ? = ? ORDER BY d.id LIMIT ?`,
      slice,
      page,
    );
    return rows.map((row) => ({
      id: Number(row.id),
      partnerId: Number(row.partner_id),
      stored: { mailboxes: Number(row.mailbox_count), aliases: Number(row.alias_count) },
      actual: { mailboxes: Number(row.mailboxes), aliases: Number(row.aliases) },
    }));
  }

  override async ownOf(partnerId: number): Promise<OwnCounts> {
    const [row = {}] = await this.database.read(
      `SELECT (SELECT COUNT(*) FROM domain WHERE partner_id = ?) AS domains,
              (SELECT COUNT(*) FROM suppression WHERE partner_id = ?) AS suppressions`,
      [partnerId, partnerId],
    );
    return toOwnCounts(row);
  }

  override async contentsOf(domainId: number): Promise<ContentCounts> {
    const rows = await this.database.read(
      `SELECT (SELECT COUNT(*) FROM mailbox WHERE domain_id = ?) AS mailboxes,
              (SELECT COUNT(*) FROM alias WHERE domain_id = ?) AS aliases`,
      [domainId, domainId],
    );
    return { mailboxes: Number(rows[0]?.mailboxes), aliases: Number(rows[0]?.aliases) };
  }

  /** Waits for the next turn of the event loop first: SQLite returns without I/O, and would block other requests. */
  private async readPage(sql: string, { of, remainder }: Slice, { after, limit }: Page): Promise<Row[]> {
    await nextTurn();
    return this.database.read(sql, [after, of, remainder, limit]);
  }
}

function toOwnCounts(row: Row): OwnCounts {
  return { domains: Number(row.domains), suppressions: Number(row.suppressions) };
}
