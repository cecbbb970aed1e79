import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerSummary } from '@mailstead/core/partners/partner-repository';
import type { Database, Row } from './driver/database.js';

const SUMMARY = `
  SELECT p.id, p.ref, p.domain_count,
         (SELECT COALESCE(SUM(d.mailbox_count), 0) FROM domain d WHERE d.partner_id = p.id) AS mailboxes,
         (SELECT COALESCE(SUM(d.alias_count), 0) FROM domain d WHERE d.partner_id = p.id) AS aliases,
         (SELECT COUNT(*) FROM api_key k WHERE k.partner_id = p.id) AS key_count
    FROM partner p`;
const EXISTS = '(p.domain_count > 0 OR EXISTS (SELECT 1 FROM api_key k WHERE k.partner_id = p.id))';

/** Partners with what they use. TypeORM has no words for sums and counts beside an entity: as SQL or in its builder, it is this text. */
export class PartnerStatements {
  constructor(private readonly database: Database) {}

  async summary(ref: PartnerRef): Promise<PartnerSummary | null> {
    const rows = await this.database.read(`${SUMMARY} WHERE p.ref = ? AND ${EXISTS}`, [ref]);
    return rows[0] === undefined ? null : toSummary(rows[0]);
  }

  /** Ordered by `ref`, those after `afterRef`. */
  async summaries(afterRef: string, limit: number): Promise<PartnerSummary[]> {
    const rows = await this.database.read(`${SUMMARY} WHERE p.ref > ? AND ${EXISTS} ORDER BY p.ref LIMIT ?`, [
      afterRef,
      limit,
    ]);
    return rows.map(toSummary);
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
