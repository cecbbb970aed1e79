import type { Page } from '@mailstead/core/page';
import type { Found } from '@mailstead/core/search';
import { type Database, type Parameter, placeholders } from '../driver/database.js';

export interface SearchLimits {
  /** The most ids that are read from the index of one condition, instead of walking through the list. */
  few: number;
  /** Ids that one statement checks. MariaDB converts an IN list of 1,000 or more items into a temporary table. */
  checkedAtOnce: number;
}

const LIMITS: SearchLimits = { few: 1_000, checkedAtOnce: 500 };

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
  /** Each reads an index for one of the conditions; its ids may be in any order, and twice. */
  narrow: IdSource[];
  /**
   * Indexes in which rows follow each other by their ids, for some of the conditions. Together they have all rows that
   * are looked for, each once.
   */
  walk: IdSource[];
  /** Whether rows of `walk` need no check: they meet all conditions, or the read of the rows leaves others out. */
  isWalkComplete: boolean;
  /** No row with a lower id is looked for. */
  lowest?: number;
}

/**
 * Finds the ids of rows that meet several conditions, in the order of the ids. When few rows meet one of the
 * conditions, it reads their ids from that condition's index and checks them. Otherwise it walks through the list in
 * the order of ids. Both ways read ids from an index, and check rows by their ids: so no statement depends on the
 * statistics of a database. Create one for each list: it remembers the ids for the next page.
 */
export class IdSearch {
  private candidates: Promise<number[] | null> | undefined;

  constructor(
    private readonly database: Database,
    private readonly plan: SearchPlan,
    private readonly limits: SearchLimits = LIMITS,
  ) {}

  async next(page: Page): Promise<Found<number>> {
    this.candidates ??= this.readCandidates();
    const candidates = await this.candidates;
    return candidates === null ? this.walk(page) : this.check(following(candidates, page), page);
  }

  /** @returns the ids that meet the rarest condition, ascending; null when many rows meet each condition. */
  private async readCandidates(): Promise<number[] | null> {
    const narrow = this.plan.narrow.map(select);
    if (narrow.length === 0) return null;
    const [counts] = await this.database.read(
      `SELECT ${narrow.map(({ sql }, index) => `(SELECT COUNT(*) FROM (${sql} LIMIT ${this.limits.few + 1}) AS few${index}) AS count${index}`).join(', ')}`,
      narrow.flatMap(({ parameters }) => parameters),
    );
    const [rarest] = narrow
      .map(({ sql, parameters }, index) => ({ sql, parameters, count: Number(counts?.[`count${index}`]) }))
      .sort((left, right) => left.count - right.count);
    if (rarest === undefined || rarest.count > this.limits.few) return null;
    const rows = await this.database.read(rarest.sql, rarest.parameters);
    return [...new Set(rows.map(({ id }) => Number(id)))].sort((left, right) => left - right);
  }

  private async walk(page: Page): Promise<Found<number>> {
    const { walk, isWalkComplete } = this.plan;
    const atOnce = isWalkComplete ? page.limit : this.limits.checkedAtOnce;
    const found = await this.merged(walk, { ...page, limit: atOnce });
    const goesOn = found.length === atOnce;
    if (isWalkComplete) return { rows: found, next: goesOn ? (found.at(-1) ?? null) : null, looked: found.length };
    const checked = await this.check(found, page, goesOn);
    // The merge of several indexes read as many rows from each.
    return { ...checked, looked: Math.max(checked.looked, (walk.length - 1) * found.length) };
  }

  /** @param goesOn whether further ids may follow those that were given. */
  private async check(ids: number[], page: Page, goesOn = false): Promise<Found<number>> {
    const checked = ids.slice(0, this.limits.checkedAtOnce);
    const last = checked.at(-1);
    if (last === undefined) return { rows: [], next: null, looked: 0 };
    const { from, id, conditions } = this.plan;
    const among = { sql: `${id} IN (${placeholders(checked)})`, parameters: checked };
    const { sql, parameters } = select({ from, id, conditions: [among, ...conditions] });
    const rows = await this.idsOf({
      sql: `${sql} ORDER BY ${id} ${directionOf(page)} LIMIT ?`,
      parameters: [...parameters, page.limit],
    });
    const end = rows.length === page.limit ? (rows.at(-1) ?? last) : last;
    const isEnd = end === ids.at(-1) && !goesOn;
    return { rows, next: isEnd ? null : end, looked: checked.length };
  }

  /** The first ids of all indexes, in order. Each index is read no further than the page needs. */
  private merged(sources: IdSource[], page: Page): Promise<number[]> {
    const parts = sources.map((source) => inOrder(source, page, this.plan.lowest ?? 0));
    const [only, ...others] = parts;
    if (only !== undefined && others.length === 0) return this.idsOf(only);
    const direction = directionOf(page);
    return this.idsOf({
      sql: `${parts.map(({ sql }, index) => `SELECT id FROM (${sql}) AS walk${index}`).join(' UNION ALL ')} ORDER BY id ${direction} LIMIT ?`,
      parameters: [...parts.flatMap(({ parameters }) => parameters), page.limit],
    });
  }

  private async idsOf({ sql, parameters }: Condition): Promise<number[]> {
    const rows = await this.database.read(sql, parameters);
    return rows.map((row) => Number(row.id));
  }
}

/** Finds the rows of the ids that a search finds. Rows that were deleted or changed meanwhile are left out. */
export function searchOf<Row>(
  plan: () => Promise<SearchPlan | null>,
  database: Database,
  read: (ids: number[], page: Page) => Promise<Row[]>,
): (page: Page) => Promise<Found<Row>> {
  let search: Promise<IdSearch | null> | undefined;
  return async (page) => {
    search ??= plan().then((found) => (found === null ? null : new IdSearch(database, found)));
    const ids = await (await search)?.next(page);
    if (ids === undefined) return { rows: [], next: null, looked: 0 };
    return { ...ids, rows: ids.rows.length === 0 ? [] : await read(ids.rows, page) };
  };
}

function following(ids: number[], { after, order }: Page): number[] {
  return order === 'desc' ? ids.filter((id) => id < after).reverse() : ids.filter((id) => id > after);
}

/** Reads the ids of a page from the index of the source, in which they follow each other. */
export async function idsOfPage(database: Database, source: IdSource, page: Page): Promise<number[]> {
  const { sql, parameters } = inOrder(source, page, 0);
  return (await database.read(sql, parameters)).map((row) => Number(row.id));
}

/** The ids that follow the page's `after`, at most its `limit`. */
function inOrder(source: IdSource, page: Page, lowest: number): Condition {
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

function directionOf({ order }: Page): string {
  return order === 'desc' ? 'DESC' : 'ASC';
}

function select({ from, id, conditions }: IdSource): Condition {
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  return { sql: `SELECT ${id} AS id FROM ${from}${where}`, parameters: conditions.flatMap((each) => each.parameters) };
}
