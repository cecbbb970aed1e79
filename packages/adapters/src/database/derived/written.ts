import type { Parameter } from '../driver/session.js';

/** What the text of a statement says about the rows that it writes. */
export interface Written {
  kind: 'insert' | 'update' | 'delete';
  /** The columns that it writes; of a DELETE null, which are all. */
  columns: readonly string[] | null;
  /** The columns that an INSERT changes in a row that exists already. */
  updated: readonly string[];
  /**
   * @param insertId the generated key; null when it is not known
   * @returns the keys of the written rows, and perhaps of others; null when the text does not tell them
   */
  keys: (parameters: readonly Parameter[], insertId: number | null) => number[] | null;
}

const TABLE =
  /^\s*(INSERT(?:\s+OR)?(?:\s+IGNORE)?\s+INTO|REPLACE INTO|UPDATE(?!\s+(?:IGNORE|LOW_PRIORITY|OR)\b)|DELETE FROM)\s+[`"]?(\w+)[`"]?/;
const INSERT = /^\s*\(([^)]*)\)\s*(?:VALUES\s*\((\?(?:, \?)*)?(?:(?!\), \().)*$)?/s;
const UPDATE = /^\s+SET\s+((?:(?! WHERE ).)*)(.*)$/s;
const ASSIGNED = /(?:^|,)\s*(?:[`"]?\w+[`"]?\.)?[`"]?(\w+)[`"]?\s*=/g;
const WRITE = /^\s*(?:INSERT|REPLACE|UPDATE|DELETE)\b/i;
/** Of a row that exists the text does not tell the key. */
const UPSERT = /\sON (?:DUPLICATE KEY UPDATE|CONFLICT\b.* DO UPDATE SET)\s(.*)$/is;
/**
 * The rows with one or several keys. Further conditions only leave some of them out, as long as they are joined by
 * AND.
 */
const BY_KEY = /^\s+WHERE\s+\(?[`"]?(\w+)[`"]? (?:= \?|IN \(\?((?:, \?)*)\))\)?(?: AND (?:(?! OR ).)*)?$/s;

/**
 * @returns the table that a statement writes, and the rest of the text; null when it writes none
 * @throws Error for a write in another form, whose table is not known
 */
export function tableOf(sql: string): { verb: string; table: string; rest: string } | null {
  const [start, verb, table] = TABLE.exec(sql) ?? [];
  if (start !== undefined && verb !== undefined && table !== undefined) {
    return { verb, table, rest: sql.slice(start.length) };
  }
  if (WRITE.test(sql)) throw new Error(`The statement does not tell its table: ${sql.slice(0, 200)}`);
  return null;
}

/** @throws Error for a statement that names no columns */
export function readWritten(verb: string, rest: string, key: string): Written {
  if (verb === 'DELETE FROM') return { kind: 'delete', columns: null, updated: [], keys: byKey(rest, key, 0) };
  if (verb === 'UPDATE') {
    const [, assignments, where] = UPDATE.exec(rest) ?? [];
    if (assignments === undefined || where === undefined) throw new Error('A statement on a source names its columns');
    const columns = assignedIn(assignments);
    if (columns.length === 0) throw new Error('A statement on a source names its columns');
    return { kind: 'update', columns, updated: [], keys: byKey(where, key, assignments.split('?').length - 1) };
  }
  const [, list, values] = INSERT.exec(rest) ?? [];
  if (list === undefined) throw new Error('A statement on a source names its columns');
  const columns = list.split(',').map((column) => column.replaceAll(/[\s`"]/g, ''));
  const [, changes] = UPSERT.exec(rest) ?? [];
  if (changes !== undefined) return { kind: 'insert', columns, updated: assignedIn(changes), keys: () => null };
  return { kind: 'insert', columns, updated: [], keys: ofInserted(columns.indexOf(key), values) };
}

function assignedIn(assignments: string): string[] {
  return Array.from(assignments.matchAll(ASSIGNED), ([, column]) => String(column));
}

/** @param first the number of parameters before the condition */
function byKey(where: string, key: string, first: number): Written['keys'] {
  const [, column, others] = BY_KEY.exec(where) ?? [];
  if (column !== key) return () => null;
  const last = first + (others ?? '').split('?').length;
  return (parameters) => parameters.slice(first, last).map(Number);
}

/** @param values the parameters with which the one inserted row begins; none when they are not known */
function ofInserted(position: number, values: string | undefined): Written['keys'] {
  if (values === undefined) return () => null;
  if (position < 0) return (_, insertId) => (insertId === null ? null : [insertId]);
  return (parameters) => (position < values.split('?').length - 1 ? [Number(parameters[position])] : null);
}
