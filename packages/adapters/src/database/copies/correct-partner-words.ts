import type { PartnerRef } from '@mailstead/core/partners/partner';
import { wordsOfPartner } from '@mailstead/core/partners/partner-words';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import { type Database, type Row, textOrNull } from '../driver/database.js';
import { writeWords } from '../partners/partner-words.js';
import type { IdBlock } from './id-blocks.js';
import type { NoteCorrected } from './sql-stored-copies.js';

/** For `NoteCorrected`: the words are of no domain. */
const NO_DOMAIN = -1;

/**
 * Corrects the words by which partners are found: rows may have been written without them, and another version of
 * Node may know more letters.
 */
export async function correctPartnerWords(
  database: Database,
  unitOfWork: UnitOfWork,
  { after, last }: IdBlock,
  noteCorrected: NoteCorrected,
): Promise<void> {
  const partners = await database.read('SELECT id, ref, name FROM partner WHERE id > ? AND id <= ?', [after, last]);
  const stored = new Map<number, Set<string>>();
  const rows = await database.read(
    'SELECT partner_id, word FROM partner_word WHERE partner_id > ? AND partner_id <= ?',
    [after, last],
  );
  for (const { partner_id: id, word } of rows) {
    stored.set(Number(id), (stored.get(Number(id)) ?? new Set()).add(String(word)));
  }
  const wrong = partners.filter((partner) => !isSame(wordsOf(partner), stored.get(Number(partner.id)) ?? new Set()));
  for (const { id } of wrong) {
    await unitOfWork.run(async () => {
      const { forUpdate } = database.dialect;
      const [locked] = await database.read(`SELECT id, ref, name FROM partner WHERE id = ?${forUpdate}`, [Number(id)]);
      if (locked === undefined) return;
      await writeWords(database, { id: Number(id), ...namesOf(locked) });
    });
  }
  noteCorrected(
    'partner_word',
    wrong.map(() => NO_DOMAIN),
  );
}

function wordsOf(row: Row): string[] {
  const { ref, name } = namesOf(row);
  return wordsOfPartner(ref, name);
}

function namesOf({ ref, name }: Row): { ref: PartnerRef | null; name: string | null } {
  return { ref: ref === '' ? null : (String(ref) as PartnerRef), name: textOrNull(name) };
}

function isSame(words: readonly string[], stored: ReadonlySet<string>): boolean {
  return words.length === stored.size && words.every((word) => stored.has(word));
}
