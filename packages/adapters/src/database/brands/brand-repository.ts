import { Brand } from '@mailstead/core/brands/brand';
import { BrandRepository } from '@mailstead/core/brands/brand-repository';
import { LOGO_RULES, LOGO_TYPES } from '@mailstead/core/brands/logo';
import { needs } from '@mailstead/core/needs';
import { EntitySchema } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';

/** The columns that a change may write. */
const CHANGED = ['name', 'logo', 'colour', 'support_email', 'support_url', 'language', 'locked'];

/** The partner of a brand has ended, as its summary says (`PartnerStatements`), and nothing of it can be restored. */
const ENDED = `EXISTS (
  SELECT 1 FROM partner p
   WHERE p.id = partner_brand.partner_id AND p.domain_count = 0 AND p.stage IS NULL
     AND NOT EXISTS (SELECT 1 FROM api_key k WHERE k.partner_id = p.id)
     AND NOT EXISTS (SELECT 1 FROM tombstone t WHERE t.erased_at IS NULL AND t.partner_id = p.id))`;

/** How stored logos of the present rules begin: with `type` and `rules`, which logos of version 1 may leave out. */
const PRESENT_LOGOS = LOGO_TYPES.map((type) => {
  const rules = LOGO_RULES[type];
  return `${JSON.stringify({ type, ...(rules === 1 ? {} : { rules }) }).slice(0, -1)},%`;
});

/** A table of its own, because a partner is read and locked far more often than its brand, which has the logo. */
export function brandSchema(dialect: Dialect): EntitySchema<Brand> {
  const columns = new Columns(dialect);
  return new EntitySchema<Brand>({
    name: 'Brand',
    target: Brand,
    tableName: 'partner_brand',
    columns: {
      partnerId: columns.ref({ name: 'partner_id', primary: true }),
      name: columns.text(64, { nullable: true }),
      logo: columns.json({ nullable: true }),
      colour: columns.exact(7, { nullable: true }),
      supportEmail: columns.exact(254, { name: 'support_email', nullable: true }),
      supportUrl: columns.exact(500, { name: 'support_url', nullable: true }),
      language: columns.exact(2, { nullable: true }),
      locked: columns.flag(),
    } satisfies ColumnsOf<Brand, 'isEmpty'>,
  });
}

@needs(Database)
export class TypeormBrandRepository extends BrandRepository {
  constructor(private readonly database: Database) {
    super();
  }

  override find(partnerId: number): Promise<Brand | null> {
    return this.database.manager.findOneBy(Brand, { partnerId });
  }

  override async save(brand: Brand): Promise<void> {
    const insert = this.database.manager.createQueryBuilder().insert().into(Brand);
    await insert.values(brand).orUpdate(CHANGED, ['partner_id']).execute();
  }

  override async remove(partnerId: number): Promise<void> {
    await this.database.manager.delete(Brand, { partnerId });
  }

  override async withFormerLogo(limit: number): Promise<number[]> {
    const isFormer = PRESENT_LOGOS.map(() => 'logo NOT LIKE ?').join(' AND ');
    const rows = await this.database.read(
      `SELECT partner_id FROM partner_brand WHERE logo IS NOT NULL AND ${isFormer} LIMIT ?`,
      [...PRESENT_LOGOS, limit],
    );
    return rows.map((row) => Number(row.partner_id));
  }

  override async ended(limit: number): Promise<number[]> {
    const rows = await this.database.read(`SELECT partner_id FROM partner_brand WHERE ${ENDED} LIMIT ?`, [limit]);
    return rows.map((row) => Number(row.partner_id));
  }

  override async removeIfEnded(partnerId: number): Promise<boolean> {
    const sql = `DELETE FROM partner_brand WHERE partner_id = ? AND ${ENDED}`;
    return (await this.database.write(sql, [partnerId])).affected === 1;
  }
}
