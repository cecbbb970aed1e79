import type { Page } from '@mailstead/core/page';
import type { Database, Parameter } from '../driver/database.js';

export interface Condition {
  sql: string;
  parameters: Parameter[];
}

/** The ids of rows that meet some of the conditions, in an index. */
export interface IdSource {
  /** The table, and the column of the ids. */
  from: string;
  id: string;
  conditions: Condition[];
}

/** Indexes that together have all rows that meet one of the conditions, and perhaps others. */
export interface Narrow {
  sources: IdSource[];
  /** Whether the caller may see all of these rows, and so learn that they are many. */
  isOwn: boolean;
}

/** What a search looks for, and the indexes in which it looks. */
export interface SearchPlan {
  /**
   * The table with the alias that the conditions use, read by its primary key. Conditions about other tables are
   * subselects.
   */
  from: string;
  id: string;
  /** All conditions. */
  conditions: Condition[];
  /** Each reads the indexes for one of the conditions; the ids may be in any order, and twice. */
  narrow: Narrow[];
  /**
   * Indexes in which rows follow each other by their ids, for some of the conditions. Together they have all rows that
   * are looked for, each once.
   */
  walk: IdSource[];
  /** The index whose rows are counted instead of those of `walk`. */
  counted?: IdSource | undefined;
  /** Whether rows of `walk` need no check: they meet all conditions, or the read of the rows leaves others out. */
  isWalkComplete: boolean;
  /** No row with a lower id is looked for. */
  lowest?: number;
}

/**
 * @param groups the indexes for each condition
 * @param some an index of the domains to which the caller is limited, which is then the only one of its own rows
 */
export function narrowOf(groups: readonly IdSource[][], some: readonly IdSource[]): Narrow[] {
  const isLimited = some.length > 0;
  return [
    ...groups.map((sources) => ({ sources, isOwn: !isLimited })),
    ...some.map((source) => ({ sources: [source], isOwn: true })),
  ];
}

/**
 * Counts the ids of each, at most `atMost` of every index, with one statement. An id may be counted twice.
 *
 * @returns the rarest first
 */
export async function countsOf(
  database: Database,
  narrow: readonly Narrow[],
  atMost: number,
): Promise<(Narrow & { count: number })[]> {
  if (narrow.length === 0) return [];
  const selected = narrow.map(({ sources }) => sources.map(select));
  const counts = selected.map(
    (parts, index) =>
      `${parts.map(({ sql }, part) => `(SELECT COUNT(*) FROM (${sql} LIMIT ${atMost}) AS few${index}_${part})`).join(' + ')} AS count${index}`,
  );
  const [row] = await database.read(
    `SELECT ${counts.join(', ')}`,
    selected.flat().flatMap(({ parameters }) => parameters),
  );
  return narrow
    .map((each, index) => ({ ...each, count: Number(row?.[`count${index}`]) }))
    .sort((left, right) => left.count - right.count);
}

/** The ids that follow the page's `after`, at most its `limit`. */
export function inOrder(source: IdSource, page: Page, lowest: number): Condition {
  // One condition for each end: of two, SQLite may read from the lower one on.
  const range: Condition =
    page.order === 'desc'
      ? { sql: `${source.id} < ? AND ${source.id} >= ?`, parameters: [page.after, lowest] }
      : { sql: `${source.id} > ?`, parameters: [Math.max(page.after, lowest - 1)] };
  const { sql, parameters } = select({ ...source, conditions: [...source.conditions, range] });
  return {
    sql: `${sql} ORDER BY ${source.id} ${directionOf(page)} LIMIT ?`,
    parameters: [...parameters, page.limit],
  };
}

export function directionOf({ order }: Page): string {
  return order === 'desc' ? 'DESC' : 'ASC';
}

export function select({ from, id, conditions }: IdSource): Condition {
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  return { sql: `SELECT ${id} AS id FROM ${from}${where}`, parameters: conditions.flatMap((each) => each.parameters) };
}
