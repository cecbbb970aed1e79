import { Partner, type PartnerRef } from '@mailstead/core/partners/partner';
import { PartnerRepository, type PartnerSummary } from '@mailstead/core/partners/partner-repository';
import { EntitySchema } from 'typeorm';
import type { Database, Row } from './driver/database.js';
import { Columns, type Dialect } from './driver/dialect.js';
import { Table } from './driver/table.js';

export function partnerSchema(dialect: Dialect): EntitySchema<Partner> {
  const columns = new Columns(dialect);
  return new EntitySchema<Partner>({
    name: 'Partner',
    target: Partner,
    tableName: 'partner',
    columns: {
      id: columns.id(),
      // The empty text is the row of "no partner".
      ref: {
        ...columns.exact(128),
        transformer: { from: (value) => (value === '' ? null : value), to: (value) => value ?? '' },
      },
      domainCount: columns.integer({ name: 'domain_count' }),
      lastCreatedAt: columns.time({ name: 'last_created_at' }),
    },
    uniques: [{ name: 'uq_partner_ref', columns: ['ref'] }],
  });
}

const COUNTS = `
  (SELECT COALESCE(SUM(d.mailbox_count), 0) FROM domain d WHERE d.partner_id = p.id) AS mailboxes,
  (SELECT COALESCE(SUM(d.alias_count), 0) FROM domain d WHERE d.partner_id = p.id) AS aliases,
  (SELECT COUNT(*) FROM api_key k WHERE k.partner_id = p.id) AS key_count`;
const EXISTS = `(p.domain_count > 0 OR EXISTS (SELECT 1 FROM api_key k WHERE k.partner_id = p.id))`;

export class TypeormPartnerRepository extends PartnerRepository {
  private readonly table: Table<Partner>;

  constructor(private readonly database: Database) {
    super();
    this.table = new Table(database, Partner);
  }

  override find(ref: PartnerRef | null): Promise<Partner | null> {
    return this.select('p.ref = ?', ref ?? '');
  }

  override async lockOrCreate(ref: PartnerRef | null): Promise<Partner> {
    const found = await this.lockWhere('p.ref = ?', ref ?? '');
    if (found !== null) return found;
    await this.database.write(
      `${this.database.dialect.insertOrIgnore('partner')} (ref, domain_count, last_created_at) VALUES (?, 0, 0)`,
      [ref ?? ''],
    );
    const made = await this.lockWhere('p.ref = ?', ref ?? '');
    if (made === null) throw new Error('A partner that was just made is missing');
    return made;
  }

  override async lock(id: number): Promise<Partner> {
    const partner = await this.lockWhere('p.id = ?', id);
    if (partner === null) throw new Error(`There is no partner ${id}`);
    return partner;
  }

  override async save(partner: Partner): Promise<void> {
    await this.table.update(partner, ['domainCount', 'lastCreatedAt']);
  }

  override async summary(ref: PartnerRef): Promise<PartnerSummary | null> {
    const rows = await this.database.read(
      `SELECT p.id, p.ref, p.domain_count, ${COUNTS} FROM partner p WHERE p.ref = ? AND ${EXISTS}`,
      [ref],
    );
    return rows[0] === undefined ? null : toSummary(rows[0]);
  }

  override async summaries(afterRef: string, limit: number): Promise<PartnerSummary[]> {
    const rows = await this.database.read(
      `SELECT p.id, p.ref, p.domain_count, ${COUNTS} FROM partner p WHERE p.ref > ? AND ${EXISTS} ORDER BY p.ref LIMIT ?`,
      [afterRef, limit],
    );
    return rows.map(toSummary);
  }

  private lockWhere(where: string, value: string | number): Promise<Partner | null> {
    return this.select(`${where}${this.database.forUpdate}`, value);
  }

  private async select(where: string, value: string | number): Promise<Partner | null> {
    const rows = await this.database.read(`SELECT ${this.table.columns('p')} FROM partner p WHERE ${where}`, [value]);
    return rows[0] === undefined ? null : this.table.hydrate(rows[0], 'p');
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
