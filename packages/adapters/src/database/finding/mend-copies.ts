import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Slice } from '@mailstead/core/counts/row-counts';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { addSuffixes, COPIES } from '../domain-suffixes.js';
import { type Database, placeholders } from '../driver/database.js';

const DOMAINS_AT_ONCE = 200;

/**
 * Corrects the copies by which filters find rows (`partner-copy.ts`, `domain-suffixes.ts`): a process of the former release
 * does not write them. Rows without a partner are found by an index each time; wrong ones only in the slice.
 *
 * @returns the number of corrected rows
 */
export async function mendCopies(database: Database, { of, remainder }: Slice): Promise<number> {
  let mended = 0;
  for (const table of ['verification', 'mailbox', 'alias']) {
    const { affected } = await database.write(
      `UPDATE ${table} SET partner_id = (SELECT d.partner_id FROM domain d WHERE d.id = ${table}.domain_id) WHERE partner_id IS NULL`,
    );
    mended += affected;
  }
  for (let after = 0; ; ) {
    const rows = await database.read(
      `SELECT d.id, d.name, d.partner_id, (SELECT COUNT(*) FROM domain_suffix s WHERE s.partner_id = d.partner_id AND s.suffix = d.name AND s.domain_id = d.id) AS suffixes
         FROM domain d WHERE d.id > ? AND d.id % ? = ? ORDER BY d.id LIMIT ?`,
      [after, of, remainder, DOMAINS_AT_ONCE],
    );
    const last = rows.at(-1);
    if (last === undefined) return mended;
    after = Number(last.id);
    mended += await mendPartners(
      database,
      rows.map(({ id }) => Number(id)),
    );
    for (const { id, name, partner_id, suffixes } of rows) {
      if (Number(suffixes) > 0) continue;
      mended += await addMissing(database, Number(id), name as DomainName, Number(partner_id));
    }
    await nextTurn();
  }
}

/** A move by a process of the former release leaves the former partner. */
async function mendPartners(database: Database, ids: number[]): Promise<number> {
  let mended = 0;
  for (const table of COPIES) {
    const actual = `(SELECT d.partner_id FROM domain d WHERE d.id = ${table}.domain_id)`;
    const { affected } = await database.write(
      `UPDATE ${table} SET partner_id = ${actual} WHERE domain_id IN (${placeholders(ids)}) AND partner_id <> ${actual}`,
      ids,
    );
    mended += affected;
  }
  return mended;
}

async function addMissing(database: Database, id: number, name: DomainName, partnerId: number): Promise<number> {
  const known = await database.read('SELECT domain_id FROM domain_suffix WHERE domain_id = ? LIMIT 1', [id]);
  if (known.length > 0) return 0;
  await addSuffixes(database, { id, name, partnerId });
  return 1;
}
