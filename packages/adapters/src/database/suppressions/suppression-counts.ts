import type { Domain } from '@mailstead/core/domains/domain';
import { type Database, placeholders, type Row } from '../driver/database.js';

/*
 * Plain SQL: a domain has up to 100,000 suppressions, which this process does not read. Who calls these functions has
 * locked the partner, or lets them lock it, so that the stored number of its rows stays right.
 */

/** Adds to the number of a partner's rows. */
export async function addToSuppressions(database: Database, partnerId: number, rows: number): Promise<void> {
  if (rows === 0) return;
  await database.write('UPDATE partner SET suppression_count = suppression_count + ? WHERE id = ?', [rows, partnerId]);
}

/** Gives the rows of a moved domain to its new partner, without notes and without what the former partner made. */
export async function moveSuppressions(database: Database, { id, partnerId }: Domain): Promise<void> {
  const before = await countsByPartner(database, [id]);
  if (before.length === 0) return;
  await database.write("DELETE FROM suppression WHERE domain_id = ? AND reason = 'manual'", [id]);
  // A process of the former release moved the domain before, and left its rows with an earlier partner. @until 5.3
  if (before.length > 1) await keepNewest(database, id);
  await database.write('UPDATE suppression SET partner_id = ?, note = NULL WHERE domain_id = ?', [partnerId, id]);
  const after = await countsByPartner(database, [id]);
  for (const [row, sign] of [...before.map((row) => [row, -1] as const), ...after.map((row) => [row, 1] as const)]) {
    await addToSuppressions(database, Number(row.partner_id), sign * Number(row.suppressions));
  }
}

/**
 * Gives the rows of a deleted domain to the next domain of the name. Of two rows about an address, a complaint is kept.
 */
export async function handOverSuppressions(database: Database, from: number, heirId: number): Promise<void> {
  const [given] = await countsByPartner(database, [from]);
  if (given === undefined) return;
  const partnerId = Number(given.partner_id);
  const before = await numberOf(database, [from, heirId]);
  // In a derived table, because MariaDB does not delete from a table that it reads.
  const addressesOf = (condition: string) =>
    `address IN (SELECT x.address FROM (SELECT o.address FROM suppression o WHERE o.domain_id = ?${condition}) x)`;
  await database.write(
    `DELETE FROM suppression WHERE domain_id = ? AND reason <> 'complaint' AND ${addressesOf(" AND o.reason = 'complaint'")}`,
    [heirId, from],
  );
  await database.write(`DELETE FROM suppression WHERE domain_id = ? AND ${addressesOf('')}`, [from, heirId]);
  await database.write('UPDATE suppression SET domain_id = ? WHERE domain_id = ?', [heirId, from]);
  await addToSuppressions(database, partnerId, (await numberOf(database, [heirId])) - before);
}

/** Deletes the rows of domains whose names are forgotten. */
export async function forgetSuppressions(database: Database, domainIds: readonly number[]): Promise<void> {
  if (domainIds.length === 0) return;
  for (const { partner_id: id } of await countsByPartner(database, domainIds)) {
    const partnerId = Number(id);
    await database.read(`SELECT id FROM partner WHERE id = ?${database.dialect.forUpdate}`, [partnerId]);
    const { affected } = await database.write(
      `DELETE FROM suppression WHERE partner_id = ? AND domain_id IN (${placeholders(domainIds)})`,
      [partnerId, ...domainIds],
    );
    await addToSuppressions(database, partnerId, -affected);
  }
}

async function keepNewest(database: Database, domainId: number): Promise<void> {
  const newest = 'SELECT MAX(o.id) AS id FROM suppression o WHERE o.domain_id = ? GROUP BY o.address';
  await database.write(`DELETE FROM suppression WHERE domain_id = ? AND id NOT IN (SELECT x.id FROM (${newest}) x)`, [
    domainId,
    domainId,
  ]);
}

function countsByPartner(database: Database, domainIds: readonly number[]): Promise<Row[]> {
  return database.read(
    `SELECT partner_id, COUNT(*) AS suppressions FROM suppression WHERE domain_id IN (${placeholders(domainIds)})
      GROUP BY partner_id ORDER BY partner_id`,
    [...domainIds],
  );
}

async function numberOf(database: Database, domainIds: readonly number[]): Promise<number> {
  const rows = await countsByPartner(database, domainIds);
  return rows.reduce((sum, { suppressions }) => sum + Number(suppressions), 0);
}
