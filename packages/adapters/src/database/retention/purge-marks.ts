import { needs } from '@mailstead/core/needs';
import { type PurgeMark, PurgeMarks } from '@mailstead/core/retention/purge-marks';
import type { EntitySchema } from 'typeorm';
import { chunksOf } from '../driver/chunks.js';
import { Database, placeholders } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** The retention that the purge last applied to each domain. A separate table, because only the purge reads it. */
export function purgeMarkSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  return rowTable('PurgeMarkRow', 'purge_mark', {
    columns: {
      domainId: columns.ref({ name: 'domain_id', primary: true }),
      purgedDays: columns.integer({ name: 'purged_days' }),
      heldDays: columns.integer({ name: 'held_days', nullable: true }),
    },
    indices: [{ name: 'ix_purge_mark_held', columns: ['heldDays'] }],
    foreignKeys: [
      {
        target: 'Domain',
        columnNames: ['domainId'],
        referencedColumnNames: ['id'],
        name: 'fk_purge_mark_domain',
        onDelete: 'CASCADE',
        onUpdate: 'NO ACTION',
      },
    ],
  });
}

/** Plain SQL: the purge reads and writes the marks of many domains with one statement. */
@needs(Database)
export class SqlPurgeMarks extends PurgeMarks {
  constructor(private readonly database: Database) {
    super();
  }

  override async ofDomains(domainIds: readonly number[]): Promise<Map<number, PurgeMark>> {
    const found = new Map<number, PurgeMark>();
    for (const chunk of chunksOf(domainIds)) {
      const rows = await this.database.read(
        `SELECT domain_id, purged_days, held_days FROM purge_mark WHERE domain_id IN (${placeholders(chunk)})`,
        chunk,
      );
      for (const row of rows) {
        const domainId = Number(row.domain_id);
        const heldDays = row.held_days === null ? null : Number(row.held_days);
        found.set(domainId, { domainId, purgedDays: Number(row.purged_days), heldDays });
      }
    }
    return found;
  }

  override async save(marks: readonly PurgeMark[]): Promise<void> {
    if (marks.length === 0) return;
    const { dialect } = this.database;
    const given = marks.map(() => 'SELECT ? AS domain_id, ? AS purged_days, ? AS held_days').join(' UNION ALL ');
    // The join skips domains that were deleted meanwhile. SQLite needs the WHERE before ON CONFLICT.
    await this.database.write(
      `INSERT INTO purge_mark (domain_id, purged_days, held_days)
       SELECT g.domain_id, g.purged_days, g.held_days FROM (${given}) AS g JOIN domain d ON d.id = g.domain_id WHERE 1 = 1
       ${dialect.onConflict(['domain_id'])} purged_days = ${dialect.inserted('purged_days')}, held_days = ${dialect.inserted('held_days')}`,
      marks.flatMap(({ domainId, purgedDays, heldDays }) => [domainId, purgedDays, heldDays]),
    );
  }

  override async forgetUnlimited(): Promise<void> {
    await this.database.write(
      'DELETE FROM purge_mark WHERE domain_id IN (SELECT id FROM domain WHERE retention_days = 0)',
    );
  }

  override async held(): Promise<number> {
    const [row] = await this.database.read('SELECT COUNT(*) AS held FROM purge_mark WHERE held_days IS NOT NULL');
    return Number(row?.held);
  }

  override async release(): Promise<number> {
    const { affected } = await this.database.write(
      'UPDATE purge_mark SET purged_days = held_days, held_days = NULL WHERE held_days IS NOT NULL',
    );
    return affected;
  }
}
