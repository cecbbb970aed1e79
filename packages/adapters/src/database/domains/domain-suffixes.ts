import type { Domain } from '@mailstead/core/domains/domain';
import { searchedTextsOf } from '@mailstead/core/domains/searched-texts';
import type { EntitySchema } from 'typeorm';
import { leaveKeys } from '../api-keys/leaving-domain.js';
import type { Database } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/**
 * The texts by whose beginning a domain is found (`searchedTextsOf`): the suffixes of its name, `sub.other.example`,
 * `other.example` and `example`, and what follows its hyphens. A search reads one range of an index.
 */
export function domainSuffixSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  return rowTable('DomainSuffixRow', 'domain_suffix', {
    columns: {
      partnerId: columns.ref({ name: 'partner_id', primary: true }),
      suffix: columns.exact(253, { primary: true }),
      domainId: columns.ref({ name: 'domain_id', primary: true }),
    },
    indices: [
      { name: 'ix_domain_suffix', columns: ['suffix'] },
      { name: 'ix_domain_suffix_domain', columns: ['domainId'] },
    ],
    foreignKeys: [
      {
        target: 'Domain',
        columnNames: ['domainId'],
        referencedColumnNames: ['id'],
        name: 'fk_domain_suffix_domain',
        onDelete: 'CASCADE',
        onUpdate: 'NO ACTION',
      },
    ],
  });
}

/** Writes the texts of a domain; those that exist stay. They are deleted with the domain. */
export async function addSuffixes(
  database: Database,
  { id, name, partnerId }: Pick<Domain, 'id' | 'name' | 'partnerId'>,
): Promise<void> {
  const texts = searchedTextsOf(name);
  await database.write(
    `${database.dialect.insertOrIgnore('domain_suffix')} (partner_id, suffix, domain_id) VALUES ${texts.map(() => '(?, ?, ?)').join(', ')}`,
    texts.flatMap((text) => [partnerId, text, id]),
  );
}

/** The tables with a copy of the partner of a domain. */
export const COPIES = ['domain_suffix', 'domain_attention', 'verification', 'dns_look', 'mailbox', 'alias'];

/** MySQL assigns from left to right, so the revision is first. */
const FORGOTTEN_REFERENCE =
  ', revision = CASE WHEN external_ref IS NULL THEN revision ELSE revision + 1 END, external_ref = NULL';

/**
 * After a move: writes the domain's present partner to the rows by which filters find the domain and its contents. The
 * lists of keys lose the domain, and mailboxes the references of the former partner.
 */
export async function moveContents(database: Database, { id, partnerId }: Domain): Promise<void> {
  for (const table of COPIES) {
    const more = table === 'mailbox' ? FORGOTTEN_REFERENCE : '';
    await database.write(`UPDATE ${table} SET partner_id = ?${more} WHERE domain_id = ?`, [partnerId, id]);
  }
  await leaveKeys(database, id);
}
