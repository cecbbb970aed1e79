import type { Partner } from '@mailstead/core/partners/partner';
import { MAX_WORD, wordsOfPartner } from '@mailstead/core/partners/partner-words';
import type { EntitySchema } from 'typeorm';
import { type Database, placeholders } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** The words by whose beginning a partner is found (`wordsOfPartner`). A search reads one range of an index. */
export function partnerWordSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  return rowTable('PartnerWordRow', 'partner_word', {
    columns: {
      partnerId: columns.ref({ name: 'partner_id', primary: true }),
      word: columns.text(MAX_WORD, { primary: true }),
    },
    indices: [{ name: 'ix_partner_word', columns: ['word', 'partnerId'] }],
  });
}

/** Writes the words of a locked partner, and removes those that it no longer has. */
export async function writeWords(
  database: Database,
  { id, ref, name }: Pick<Partner, 'id' | 'ref' | 'name'>,
): Promise<void> {
  const words = wordsOfPartner(ref, name);
  const others = words.length === 0 ? '' : ` AND word NOT IN (${placeholders(words)})`;
  await database.write(`DELETE FROM partner_word WHERE partner_id = ?${others}`, [id, ...words]);
  if (words.length === 0) return;
  await database.write(
    `${database.dialect.insertOrIgnore('partner_word')} (partner_id, word) VALUES ${words.map(() => '(?, ?)').join(', ')}`,
    words.flatMap((word) => [id, word]),
  );
}
