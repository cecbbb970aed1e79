import type { Page } from '@mailstead/core/page';
import type { CountedSearch, Found, Total } from '@mailstead/core/search';
import { type Database, placeholders } from '../driver/database.js';
import { IdCount } from './id-count.js';
import {
  type Condition,
  countsOf,
  directionOf,
  type IdSource,
  inOrder,
  type SearchPlan,
  select,
} from './search-plan.js';

export interface SearchLimits {
  /** The most ids that are read from the index of one condition, instead of walking through the list. */
  few: number;
  /** Ids that one statement checks. MariaDB converts an IN list of 1,000 or more items into a temporary table. */
  checkedAtOnce: number;
}

const LIMITS: SearchLimits = { few: 1_000, checkedAtOnce: 500 };

/**
 * Finds the ids of rows that meet several conditions, in the order of the ids. When few rows meet one of the
 * conditions, it reads their ids from that condition's index and checks them. Otherwise it walks through the list in
 * the order of ids. Both ways read ids from an index, and check rows by their ids: so no statement depends on the
 * statistics of a database. Create one for each list: it remembers the ids for the next page.
 */
export class IdSearch {
  private candidates: Promise<number[] | null> | undefined;
  private counted: IdCount | undefined;

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

  /** Counts a further part of the rows at each call. @returns null until the number is known */
  count(): Promise<Total | null> {
    this.counted ??= new IdCount(this.database, this.plan, this.limits.checkedAtOnce, () => {
      this.candidates ??= this.readCandidates();
      return this.candidates;
    });
    return this.counted.next();
  }

  /** @returns the ids that meet the rarest condition, ascending; null when many rows meet each condition. */
  private async readCandidates(): Promise<number[] | null> {
    const [rarest] = await countsOf(this.database, this.plan.narrow, this.limits.few + 1);
    if (rarest === undefined || rarest.count > this.limits.few) return null;
    const selected = rarest.sources.map(select);
    const rows = await this.database.read(
      selected.map(({ sql }) => sql).join(' UNION ALL '),
      selected.flatMap(({ parameters }) => parameters),
    );
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
  limits: SearchLimits = LIMITS,
): CountedSearch<Row> {
  let known: Promise<IdSearch | null> | undefined;
  const search = () => {
    known ??= plan().then((found) => (found === null ? null : new IdSearch(database, found, limits)));
    return known;
  };
  const next = async (page: Page): Promise<Found<Row>> => {
    const ids = await (await search())?.next(page);
    if (ids === undefined) return { rows: [], next: null, looked: 0 };
    return { ...ids, rows: ids.rows.length === 0 ? [] : await read(ids.rows, page) };
  };
  const count = async () => {
    const found = await search();
    return found === null ? { count: 0, more: false } : found.count();
  };
  return Object.assign(next, { count });
}

function following(ids: number[], { after, order }: Page): number[] {
  return order === 'desc' ? ids.filter((id) => id < after).reverse() : ids.filter((id) => id > after);
}

/** Reads the ids of a page from the index of the source, in which they follow each other. */
export async function idsOfPage(database: Database, source: IdSource, page: Page): Promise<number[]> {
  const { sql, parameters } = inOrder(source, page, 0);
  return (await database.read(sql, parameters)).map((row) => Number(row.id));
}
