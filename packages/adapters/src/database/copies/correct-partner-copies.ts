import { VERIFICATION_STATUSES } from '@mailstead/core/relay/verification';
import { COPIES } from '../domains/domain-suffixes.js';
import { type Database, placeholders, type Row } from '../driver/database.js';
import type { IdBlock } from './id-blocks.js';
import type { NoteCorrected } from './sql-stored-copies.js';

const ROWS_AT_ONCE = 500;

/**
 * The rows in which a process of the former release leaves the partner out, as a condition that an index answers.
 * @until 5.2
 */
const WITHOUT_PARTNER = [
  {
    table: 'verification',
    key: 'domain_id',
    index: 'ix_verification_status',
    where: `status IN (${VERIFICATION_STATUSES.map((status) => `'${status}'`).join(', ')}) AND partner_id IS NULL`,
  },
  { table: 'mailbox', key: 'id', index: 'ix_mailbox_partner', where: 'partner_id IS NULL' },
  { table: 'alias', key: 'id', index: 'ix_alias_partner', where: 'partner_id IS NULL' },
];

/** Fills the partner of rows that a process of the former release inserted. They are found by an index. @until 5.2 */
export async function fillPartners(database: Database, noteCorrected: NoteCorrected): Promise<void> {
  const { dialect } = database;
  for (const { table, key, index, where } of WITHOUT_PARTNER) {
    for (;;) {
      const rows = await database.read(
        `SELECT ${key} AS row_id, domain_id FROM ${table}${dialect.byIndex(index)} WHERE ${where} LIMIT ${ROWS_AT_ONCE}`,
      );
      if (rows.length === 0) break;
      const ids = rows.map(({ row_id }) => Number(row_id));
      const { affected } = await database.write(
        `${partnerUpdate(table)} WHERE ${key} IN (${placeholders(ids)}) AND partner_id IS NULL`,
        ids,
      );
      noteCorrected(table, domainsOf(rows));
      // Others may have filled or deleted them. The next run looks again, so that this one ends.
      if (affected === 0 || rows.length < ROWS_AT_ONCE) break;
    }
  }
}

/** Corrects the partner of rows whose domain a process of the former release moved. @until 5.2 */
export async function correctPartners(
  database: Database,
  { after, last }: IdBlock,
  noteCorrected: NoteCorrected,
): Promise<void> {
  for (const table of COPIES) {
    const rows = await database.read(
      `SELECT DISTINCT c.domain_id FROM domain d JOIN ${table} c ON c.domain_id = d.id
        WHERE d.id > ? AND d.id <= ? AND c.partner_id <> d.partner_id`,
      [after, last],
    );
    for (const id of domainsOf(rows)) {
      const { affected } = await database.write(`${partnerUpdate(table)} WHERE domain_id = ?`, [id]);
      noteCorrected(table, Array(affected).fill(id));
    }
  }
}

/** The beginning of an UPDATE that copies to the rows of a table the partner of their domain. */
function partnerUpdate(table: string): string {
  return `UPDATE ${table} SET partner_id = (SELECT d.partner_id FROM domain d WHERE d.id = ${table}.domain_id)`;
}

function domainsOf(rows: readonly Row[]): number[] {
  return rows.map(({ domain_id }) => Number(domain_id));
}
