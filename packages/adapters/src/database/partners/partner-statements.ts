import { Partner, type PartnerRef, type PartnerStage } from '@mailstead/core/partners/partner';
import type { InstallationTotals, PartnerSummary } from '@mailstead/core/partners/partner-repository';
import { type Database, type Row, textOrNull } from '../driver/database.js';
import { Table } from '../driver/table.js';
import { suspensionsTransformer } from './partner-suspensions-column.js';
import { stopMessagesTransformer } from './stop-messages-column.js';

/**
 * The sums are one text, so that the domains of a partner are read once: in `ix_domain_partner_counts`, not their rows
 * (`docs/performance.md`).
 */
export const SUMMARY = `
  SELECT p.id, p.ref, p.external_ref, p.name, p.domain_count, p.suspensions, p.stage, p.stop_messages, p.revision,
         p.brand_revision,
         (SELECT CONCAT(SUM(d.mailbox_count), ' ', SUM(d.alias_count)) FROM domain d WHERE d.partner_id = p.id) AS sums,
         (SELECT COUNT(*) FROM api_key k WHERE k.partner_id = p.id) AS key_count
    FROM partner p`;
export const EXISTS =
  '(p.domain_count > 0 OR p.stage IS NOT NULL OR EXISTS (SELECT 1 FROM api_key k WHERE k.partner_id = p.id))';

/** The sums of the domains are read in `ix_domain_partner_counts`, which is a tenth of their rows. */
const TOTALS = `
  SELECT (SELECT COUNT(*) FROM partner p WHERE p.ref <> '' AND ${EXISTS}) AS partners,
         (SELECT SUM(p.domain_count) FROM partner p) AS domains,
         (SELECT CONCAT(SUM(d.mailbox_count), ' ', SUM(d.alias_count)) FROM domain d) AS sums`;

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

  async find(ref: string): Promise<Partner | null> {
    const row = await this.row('ref', ref, '');
    return row === undefined ? null : this.table.hydrate(row, 'p');
  }

  /** Locks the partner until the end of the unit of work. */
  async lock(column: 'id' | 'ref', value: number | string): Promise<Partner | null> {
    const row = await this.row(column, value, this.database.dialect.forUpdate);
    return row === undefined ? null : this.table.hydrateLocked(row, 'p');
  }

  save(partner: Partner): Promise<void> {
    return this.table.save(partner);
  }

  async summary(ref: PartnerRef): Promise<PartnerSummary | null> {
    const rows = await this.database.read(`${SUMMARY} WHERE p.ref = ? AND ${EXISTS}`, [ref]);
    return rows[0] === undefined ? null : toSummary(rows[0]);
  }

  async totals(): Promise<InstallationTotals> {
    const [row = {}] = await this.database.read(TOTALS);
    return { partners: Number(row.partners), domains: Number(row.domains), ...toSums(row) };
  }

  private async row(column: 'id' | 'ref', value: number | string, lock: string): Promise<Row | undefined> {
    const [row] = await this.database.read(
      `SELECT ${this.table.columns('p')} FROM partner p WHERE p.${column} = ?${lock}`,
      [value],
    );
    return row;
  }
}

export function toSummary(row: Row): PartnerSummary {
  return {
    id: Number(row.id),
    ref: String(row.ref) as PartnerRef,
    externalRef: textOrNull(row.external_ref),
    name: textOrNull(row.name),
    domainsUsed: Number(row.domain_count),
    ...toSums(row),
    keys: Number(row.key_count),
    suspensions: suspensionsTransformer.from(row.suspensions),
    stopMessages: stopMessagesTransformer.from(row.stop_messages),
    stage: row.stage as PartnerStage | null,
    revision: Number(row.revision),
    brandRevision: Number(row.brand_revision),
  };
}

/** Without domains the text is null on MariaDB, and empty on SQLite. */
function toSums(row: Row): { mailboxes: number; aliases: number } {
  const [mailboxes, aliases] = (textOrNull(row.sums) ?? '').split(' ');
  return { mailboxes: Number(mailboxes ?? 0), aliases: Number(aliases ?? 0) };
}
