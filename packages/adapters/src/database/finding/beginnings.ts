import type { PartnerRef } from '@mailstead/core/partners/partner';
import { type Database, placeholders } from '../driver/database.js';
import { anyOf, beginsWith, condition } from './conditions.js';
import type { Condition, IdSource } from './search-plan.js';

/** The most partners whose rows are looked for in an index. */
const FEW_PARTNERS = 500;

/** A text that may begin so: the condition on a row, and the index; null: no index has few such rows. */
export interface Beginning {
  condition: Condition;
  source: IdSource | null;
}

/** The rows of which one text begins so. Without `sources` no indexes have them. */
interface AnyBeginning {
  condition: Condition;
  sources: IdSource[] | null;
}

/** @returns null when no text is looked for */
export function anyBeginning(beginnings: readonly Beginning[]): AnyBeginning | null {
  if (beginnings.length === 0) return null;
  const sources = beginnings.flatMap(({ source }) => source ?? []);
  return {
    condition: anyOf(beginnings.map((each) => each.condition)),
    sources: sources.length === beginnings.length ? sources : null,
  };
}

/**
 * The rows of the partners whose reference begins so.
 *
 * @param column that of the partner
 * @param ofPartners the index of the rows of some partners
 * @returns none when there is no such partner
 */
export async function ofPartnersBeginning(
  database: Database,
  prefix: PartnerRef,
  column: string,
  ofPartners: (condition: Condition) => IdSource,
): Promise<Beginning[]> {
  const begins = beginsWith('p.ref', prefix);
  const rows = await database.read(
    `SELECT p.id FROM partner p WHERE ${begins.sql} ORDER BY p.ref LIMIT ${FEW_PARTNERS + 1}`,
    begins.parameters,
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => Number(id));
  return [
    {
      condition: condition(
        `EXISTS (SELECT 1 FROM partner p${database.dialect.byPrimaryKey} WHERE p.id = ${column} AND ${begins.sql})`,
        ...begins.parameters,
      ),
      source: ids.length > FEW_PARTNERS ? null : ofPartners(condition(`${column} IN (${placeholders(ids)})`, ...ids)),
    },
  ];
}
