import { Partner, type PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerSummary } from '@mailstead/core/partners/partner-repository';
import type { Database, Row } from './driver/database.js';
import { Table } from './driver/table.js';

const SUMMARY = `
  SELECT p.id, p.ref, p.domain_count,
         (SELECT COALESCE(SUM(d.mailbox_count), 0) FROM domain d WHERE d.partner_id = p.id) AS mailboxes,
         (SELECT COALESCE(SUM(d.alias_count), 0) FROM domain d WHERE d.partner_id = p.id) AS aliases,
         (SELECT COUNT(*) FROM api_key k WHERE k.partner_id = p.id) AS key_count
    FROM partner p`;
const EXISTS = '(p.domain_count > 0 OR EXISTS (SELECT 1 FROM api_key k WHERE k.partner_id = p.id))';

/**
 * The locking read of a partner, which every creation and deletion needs, and the totals of partners. The lock is plain
 * SQL, because an entity read by TypeORM takes four times as long (`DomainStatements` has the numbers). The totals are,
 * because TypeORM cannot read them together with an entity.
 */
export class PartnerStatements {
  private readonly table: Table<Partner>;

  constructor(private readonly database: Database) {
    this.table = new Table(database, Partner);
  }

  find(ref: string): Promise<Partner | null> {
    return this.one('ref', ref, '');
  }

  /** Locks the partner until the end of the unit of work. */
  lock(column: 'id' | 'ref', value: number | string): Promise<Partner | null> {
    return this.one(column, value, this.database.dialect.forUpdate);
  }

  save(partner: Partner): Promise<void> {
    return this.table.save(partner);
  }

  async summary(ref: PartnerRef): Promise<PartnerSummary | null> {
    const rows = await this.database.read(`${SUMMARY} WHERE p.ref = ? AND ${EXISTS}`, [ref]);
    return rows[0] === undefined ? null : toSummary(rows[0]);
  }

  /** @returns the partners after `afterRef`, ordered by `ref` */
  async summaries(afterRef: string, limit: number): Promise<PartnerSummary[]> {
    const rows = await this.database.read(`${SUMMARY} WHERE p.ref > ? AND ${EXISTS} ORDER BY p.ref LIMIT ?`, [
      afterRef,
      limit,
    ]);
    return rows.map(toSummary);
  }

  private async one(column: 'id' | 'ref', value: number | string, lock: string): Promise<Partner | null> {
    const [row] = await this.database.read(
      `SELECT ${this.table.columns('p')} FROM partner p WHERE p.${column} = ?${lock}`,
      [value],
    );
    return row === undefined ? null : this.table.hydrate(row, 'p');
  }
}

function toSummary(row: Row): PartnerSummary {
  return {
    id: Number(row.id),
    ref: String(row.ref) as PartnerRef,
    domainsUsed: Number(row.domain_count),
    mailboxes: Number(row.mailboxes),
    aliases: Number(row.aliases),
    keys: Number(row.key_count),
  };
}
