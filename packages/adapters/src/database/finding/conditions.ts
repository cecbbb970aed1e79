import type { Parameter } from '../driver/database.js';
import type { Condition, IdSource } from './search-plan.js';

/** Follows every character of a name or an address. */
const LAST_ASCII = '\u007f';
/** Follows every character of a text. */
const LAST_CHARACTER = '\u{10ffff}';

/** A filter that compares a column with one value, and the index that begins with the column and the partner. */
export interface Equality {
  column: string;
  value: Parameter;
  /** Null for a unique column: its index has no name on SQLite, and is chosen without a hint. */
  index: string | null;
}

export function condition(sql: string, ...parameters: Parameter[]): Condition {
  return { sql, parameters };
}

/** The ASCII texts that begin with a prefix: one range of an index, without the special characters of LIKE. */
export function beginsWith(column: string, prefix: string): Condition {
  return condition(`${column} >= ? AND ${column} < ?`, prefix, prefix + LAST_ASCII);
}

/** Like `beginsWith`, for texts of any characters. */
export function textBeginsWith(column: string, prefix: string): Condition {
  return condition(`${column} >= ? AND ${column} < ?`, prefix, prefix + LAST_CHARACTER);
}

/** Meets one of the conditions, of which there is at least one. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return condition(
    `(${conditions.map(({ sql }) => `(${sql})`).join(' OR ')})`,
    ...conditions.flatMap(({ parameters }) => parameters),
  );
}

/** Whether the rows of an index meet all conditions. */
export function isServed(conditions: readonly Condition[], { conditions: served }: IdSource): boolean {
  return conditions.every(({ sql }) => served.some((each) => each.sql === sql));
}

export function equalCondition({ column, value }: Equality): Condition {
  return condition(`${column} = ?`, value);
}

/** The filters that were given. */
export function given(filters: [column: string, value: Parameter | undefined, index: string | null][]): Equality[] {
  return filters.flatMap(([column, value, index]) => (value === undefined ? [] : [{ column, value, index }]));
}

/** The rows of one partner; of all partners without a condition. */
export function ofPartner(partner: number | 'all', column: string): Condition[] {
  return partner === 'all' ? [] : [condition(`${column} = ?`, partner)];
}
