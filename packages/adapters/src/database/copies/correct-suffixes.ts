import type { DomainName } from '@mailstead/core/domains/domain-name';
import { searchedTextsOf } from '@mailstead/core/domains/searched-texts';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import { addSuffixes } from '../domains/domain-suffixes.js';
import { type Database, placeholders } from '../driver/database.js';
import type { IdBlock } from './id-blocks.js';
import type { NoteCorrected } from './sql-stored-copies.js';

/**
 * Adds the texts by which domains are found, to domains that lack some of them. A former release wrote fewer texts for
 * each domain, and no migration can compute them, so this fills them after an update too. Only the numbers of texts are
 * compared: nothing else writes or deletes one.
 */
export async function addMissingSuffixes(
  database: Database,
  unitOfWork: UnitOfWork,
  { after, last }: IdBlock,
  noteCorrected: NoteCorrected,
): Promise<void> {
  const rows = await database.read(
    `SELECT d.id, d.name, (SELECT COUNT(*) FROM domain_suffix s WHERE s.domain_id = d.id) AS texts
       FROM domain d WHERE d.id > ? AND d.id <= ?`,
    [after, last],
  );
  const ids = rows
    .filter(({ name, texts }) => Number(texts) < searchedTextsOf(name as DomainName).length)
    .map(({ id }) => Number(id));
  if (ids.length === 0) return;
  // Locked, because a domain that moves meanwhile would keep texts of its former partner.
  await unitOfWork.run(async () => {
    const locked = await database.read(
      `SELECT d.id, d.name, d.partner_id FROM domain d WHERE d.id IN (${placeholders(ids)}) ORDER BY d.id${database.dialect.forUpdate}`,
      ids,
    );
    for (const { id, name, partner_id } of locked) {
      await addSuffixes(database, { id: Number(id), name: name as DomainName, partnerId: Number(partner_id) });
    }
  });
  noteCorrected('domain_suffix', ids);
}
