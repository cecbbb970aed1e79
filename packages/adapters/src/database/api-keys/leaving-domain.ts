import { chunksOf } from '../driver/chunks.js';
import { type Database, placeholders } from '../driver/database.js';

/**
 * Takes a domain that its partner loses from the lists of keys, and raises the revisions of these keys. The partner
 * must be locked. The ids are read first, because MariaDB would otherwise read and lock every key.
 */
export async function leaveKeys(database: Database, domainId: number): Promise<void> {
  const rows = await database.read('SELECT key_id FROM api_key_domain WHERE domain_id = ? ORDER BY key_id', [domainId]);
  for (const ids of chunksOf(rows.map(({ key_id: id }) => Number(id)))) {
    await database.write(`UPDATE api_key SET revision = revision + 1 WHERE id IN (${placeholders(ids)})`, ids);
  }
  await database.write('DELETE FROM api_key_domain WHERE domain_id = ?', [domainId]);
}
