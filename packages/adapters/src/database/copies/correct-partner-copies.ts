import { COPIES } from '../domains/domain-suffixes.js';
import type { Database, Row } from '../driver/database.js';
import type { IdBlock } from './id-blocks.js';
import type { NoteCorrected } from './sql-stored-copies.js';

/** Corrects the partner of rows that have another one than their domain, or none. */
export async function correctPartners(
  database: Database,
  { after, last }: IdBlock,
  noteCorrected: NoteCorrected,
): Promise<void> {
  for (const table of COPIES) {
    const rows = await database.read(
      `SELECT DISTINCT c.domain_id FROM domain d JOIN ${table} c ON c.domain_id = d.id
        WHERE d.id > ? AND d.id <= ? AND (c.partner_id IS NULL OR c.partner_id <> d.partner_id)`,
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
