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
  /** The table with the alias that the conditions use, read by its primary key. Conditions about other tables are subselects. */
  from: string;
  id: string;
  /** All conditions. */
  conditions: Condition[];
  /** Each reads an index for one of the conditions; its ids may be in any order, and twice. */
  narrow: IdSource[];
  /** An index in which the rows follow each other by their ids, for some of the conditions. */
  walk: IdSource;
  /** Whether rows of `walk` meet all conditions, so that they need no check. */
  isWalkComplete: boolean;
}

/**
 * Finds the ids of rows that meet several conditions, in the order of the ids. When few rows meet one of the conditions,
 * it reads their ids from that condition's index and checks them. Otherwise it walks through the list in the order of ids.
 * Both ways read ids from an index, and check rows by their ids: so no statement depends on the statistics of a database.
 * Create one for each list: it remembers the ids for the next page.
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
    const start: Condition = { sql: `${walk.id} ${page.order === 'desc' ? '<' : '>'} ?`, parameters: [page.after] };
    const { sql, parameters } = select({ ...walk, conditions: [...walk.conditions, start] });
    const found = await this.inOrder(sql, parameters, walk.id, { ...page, limit: atOnce });
    const goesOn = found.length === atOnce;
    if (isWalkComplete) return { rows: found, next: goesOn ? (found.at(-1) ?? null) : null, looked: found.length };
    return this.check(found, page, goesOn);
  }

  /** @param goesOn whether further ids may follow those that were given. */
  private async check(ids: number[], page: Page, goesOn = false): Promise<Found<number>> {
    const checked = ids.slice(0, this.limits.checkedAtOnce);
    const last = checked.at(-1);
    if (last === undefined) return { rows: [], next: null, looked: 0 };
    const { from, id, conditions } = this.plan;
    const among = { sql: `${id} IN (${placeholders(checked)})`, parameters: checked };
    const { sql, parameters } = select({ from, id, conditions: [among, ...conditions] });
    const rows = await this.inOrder(sql, parameters, id, page);
    const end = rows.length === page.limit ? (rows.at(-1) ?? last) : last;
    const isEnd = end === ids.at(-1) && !goesOn;
    return { rows, next: isEnd ? null : end, looked: checked.length };
  }

  private async inOrder(sql: string, parameters: Parameter[], id: string, { limit, order }: Page): Promise<number[]> {
    const direction = order === 'desc' ? 'DESC' : 'ASC';
    const rows = await this.database.read(`${sql} ORDER BY ${id} ${direction} LIMIT ?`, [...parameters, limit]);
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

function select({ from, id, conditions }: IdSource): Condition {
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  return { sql: `SELECT ${id} AS id FROM ${from}${where}`, parameters: conditions.flatMap((each) => each.parameters) };
}
