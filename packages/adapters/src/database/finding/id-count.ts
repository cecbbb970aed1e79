import { COUNTED_ROWS, type Total } from '@mailstead/core/search';
import { type Database, placeholders } from '../driver/database.js';
import { isServed } from './conditions.js';
import { type Condition, countsOf, type IdSource, inOrder, type SearchPlan, select } from './search-plan.js';

/** Ids of indexes that are looked at: one more shows that there are more than are counted. */
const LOOKED_AT = COUNTED_ROWS + 1;
/** Ids that one call checks: a few milliseconds of SQLite, in which the process does nothing else. */
const CHECKED_PER_CALL = 2_000;

interface Counting {
  /** The ids of rows that may be counted. */
  unchecked: number[];
  count: number;
  more: boolean;
}

/**
 * Counts the rows that a plan looks for: those that meet the rarest condition, and all others. Of the indexes that it
 * looks in, it looks at `LOOKED_AT` ids. When each condition has more rows, it counts among the first of those that
 * the caller may see, so that nobody learns of the rows of others.
 */
export class IdCount {
  private counting: Promise<Counting> | undefined;

  /** @param candidates the ids that meet the rarest condition; null when they are not few */
  constructor(
    private readonly database: Database,
    private readonly plan: SearchPlan,
    private readonly checkedAtOnce: number,
    private readonly candidates: () => Promise<number[] | null>,
  ) {}

  /** @returns null until all ids are checked */
  async next(): Promise<Total | null> {
    this.counting ??= this.begin();
    const counting = await this.counting;
    const ids = counting.unchecked.splice(0, CHECKED_PER_CALL);
    for (let checked = 0; checked < ids.length; checked += this.checkedAtOnce) {
      counting.count += await this.countAmong(ids.slice(checked, checked + this.checkedAtOnce));
    }
    if (counting.unchecked.length > 0) return null;
    return { count: Math.min(counting.count, COUNTED_ROWS), more: counting.more };
  }

  private async begin(): Promise<Counting> {
    const candidates = await this.candidates();
    if (candidates !== null) return { unchecked: [...candidates], count: 0, more: false };
    const sources = await this.sources();
    const [only, ...others] = sources;
    if (only !== undefined && others.length === 0 && isServed(this.plan.conditions, only.source)) {
      const { sql, parameters } = only.ids(LOOKED_AT);
      const [row] = await this.database.read(`SELECT COUNT(*) AS found FROM (${sql}) AS counted`, parameters);
      const count = Number(row?.found);
      return { unchecked: [], count, more: count > COUNTED_ROWS };
    }
    const ids: number[] = [];
    for (const source of sources) {
      if (ids.length >= LOOKED_AT) break;
      const { sql, parameters } = source.ids(LOOKED_AT - ids.length);
      for (const { id } of await this.database.read(sql, parameters)) ids.push(Number(id));
    }
    return { unchecked: [...new Set(ids)], count: 0, more: ids.length > COUNTED_ROWS };
  }

  /** The indexes in which it looks, each with the statement that reads some of its ids. */
  private async sources(): Promise<{ source: IdSource; ids: (atMost: number) => Condition }[]> {
    const { narrow, counted, walk, lowest = 0 } = this.plan;
    const counts = await countsOf(this.database, narrow, LOOKED_AT);
    const rarest = counts.find(({ count, isOwn }) => isOwn || count <= COUNTED_ROWS);
    const unordered = rarest?.sources ?? (counted === undefined ? [] : [counted]);
    if (unordered.length === 0) {
      return walk.map((source) => ({ source, ids: (limit) => inOrder(source, { after: 0, limit }, lowest) }));
    }
    return unordered.map((source) => ({ source, ids: (atMost) => limited(select(source), atMost) }));
  }

  private async countAmong(ids: readonly number[]): Promise<number> {
    const { from, id, conditions } = this.plan;
    const among = { sql: `${id} IN (${placeholders(ids)})`, parameters: [...ids] };
    const { sql, parameters } = select({ from, id, conditions: [among, ...conditions] });
    const [row] = await this.database.read(`SELECT COUNT(*) AS found FROM (${sql}) AS counted`, parameters);
    return Number(row?.found);
  }
}

function limited({ sql, parameters }: Condition, atMost: number): Condition {
  return { sql: `${sql} LIMIT ?`, parameters: [...parameters, atMost] };
}
