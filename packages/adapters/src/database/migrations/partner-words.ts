import type { PartnerRef } from '@mailstead/core/partners/partner';
import { wordsOfPartner } from '@mailstead/core/partners/partner-words';
import type { QueryRunner } from 'typeorm';
import { chunksOf } from '../driver/chunks.js';
import { addIndex } from './alterations.js';
import type { Migration } from './step.js';

/** Partners whose words are written at once. */
const ROWS = 500;

interface Named {
  id: number | string;
  ref: string;
  name: string | null;
}

/** SQL cannot compute the words. */
async function fill(runner: QueryRunner): Promise<void> {
  for (let after = 0; ; ) {
    const partners: Named[] = await runner.query(
      `SELECT id, ref, name FROM partner WHERE id > ? ORDER BY id LIMIT ${ROWS}`,
      [after],
    );
    const words = partners.flatMap(({ id, ref, name }) =>
      wordsOfPartner(ref as PartnerRef, name).map((word) => [Number(id), word] as const),
    );
    for (const chunk of chunksOf(words, (word) => word)) {
      const tuples = chunk.map(() => '(?, ?)').join(', ');
      await runner.query(`INSERT INTO partner_word (partner_id, word) VALUES ${tuples}`, chunk.flat());
    }
    if (partners.length < ROWS) return;
    after = Number(partners.at(-1)?.id);
  }
}

/**
 * The words by whose beginning partners are found, and an index of the tenants that the relay provider paused.
 * `housekeeping` adds the words of partners that processes of the former release create meanwhile.
 */
export const partnerWords: Migration['statements'] = [
  {
    mysql: [
      [
        'CreatePartnerWord',
        'CREATE TABLE `partner_word` (`partner_id` bigint NOT NULL, `word` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, PRIMARY KEY (`partner_id`, `word`)) ENGINE=InnoDB',
      ],
    ],
    sqlite: [
      [
        'CreatePartnerWord',
        'CREATE TABLE "partner_word" ("partner_id" integer NOT NULL, "word" varchar(64) NOT NULL, PRIMARY KEY ("partner_id", "word"))',
      ],
    ],
  },
  // The fill of a process that was killed is begun anew.
  ['FillPartnerWord', 'DELETE FROM partner_word', fill],
  addIndex('ix_partner_word', 'partner_word', ['word', 'partner_id']),
  addIndex('ix_relay_tenant_status', 'relay_tenant', ['status', 'partner_id']),
];
