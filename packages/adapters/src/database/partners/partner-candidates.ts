import type { PartnerRef, PartnerStage } from '@mailstead/core/partners/partner';
import type { PartnerFilter } from '@mailstead/core/partners/partner-finder';
import type { PartnerState } from '@mailstead/core/partners/partner-state';
import { COUNTED_ROWS, type Found, type Total } from '@mailstead/core/search';
import type { Database, Parameter } from '../driver/database.js';
import { condition, textBeginsWith } from '../finding/conditions.js';
import { type Condition, countsOf, type IdSource, type Narrow, select } from '../finding/search-plan.js';
import { type FoundFacts, factsOf } from './partner-facts.js';

/** The most ids that are read from the index of one condition, instead of walking through the list. */
const FEW = 1_000;
/** Partners that one statement looks at. */
const LOOKED_AT_ONCE = 500;
/** Partners that one call looks at: some milliseconds of SQLite for each statement. */
const LOOKED_PER_CALL = 2_000;
/** How many times as many partners are looked at next, while few of them are found. */
const GROWTH = 4;

/** The index of the partners that may be in a state; null: there is none. */
const STATE_SOURCES: Record<PartnerState, ((database: Database) => IdSource) | null> = {
  suspended: (database) => ofStage(database, 'all'),
  changes_stopped: (database) => ofStage(database, 'changes'),
  relay_paused: ({ dialect }) => ({
    from: `relay_tenant w${dialect.byIndex('ix_relay_tenant_status')}`,
    id: 'w.partner_id',
    conditions: [condition("w.status = 'paused'")],
  }),
  at_limit: null,
  near_limit: null,
  active: null,
};

/**
 * The partners that a filter finds, in the order of their references. When few partners meet one of its conditions, it
 * reads them from that condition's index, and checks and sorts them. Otherwise it walks through the references. In both
 * ways the core decides each state.
 */
export class PartnerCandidates {
  private readonly conditions: readonly Condition[];
  private readonly narrow: readonly Narrow[];
  private few: Promise<FoundFacts[] | null> | undefined;
  private counting: Promise<Counting> | undefined;

  /** @param most the most ids that are read from the index of one condition */
  constructor(
    private readonly database: Database,
    private readonly filter: PartnerFilter,
    private readonly now: Date,
    private readonly most = FEW,
  ) {
    const { words = [], states } = filter;
    this.conditions = words.map(hasWord);
    this.narrow = [...words.map((word) => ofWord(database, word)), ...ofStates(database, states)];
  }

  async next(after: string, limit: number): Promise<Found<FoundFacts, PartnerRef>> {
    this.few ??= this.readFew();
    const few = await this.few;
    if (few === null) return this.walk(after, limit);
    const following = few.filter(({ ref }) => ref > after);
    const rows = following.slice(0, limit);
    return { rows, next: rows.length < following.length ? (rows.at(-1)?.ref ?? null) : null, looked: rows.length };
  }

  /** Counts among the partners of the rarest condition, or among the first ones. @returns null until all are checked */
  async count(): Promise<Total | null> {
    this.counting ??= this.beginCount();
    const counting = await this.counting;
    counting.count += (await this.check(counting.unchecked.splice(0, LOOKED_PER_CALL))).length;
    if (counting.unchecked.length > 0) return null;
    return { count: Math.min(counting.count, COUNTED_ROWS), more: counting.more };
  }

  private async beginCount(): Promise<Counting> {
    const rarest = await this.rarest(COUNTED_ROWS);
    if (rarest !== null) return { unchecked: rarest, count: 0, more: false };
    const first = await this.idsOf(
      `SELECT p.id FROM partner p WHERE p.ref > '' ORDER BY p.ref LIMIT ${COUNTED_ROWS + 1}`,
      [],
    );
    return { unchecked: first, count: 0, more: first.length > COUNTED_ROWS };
  }

  private async readFew(): Promise<FoundFacts[] | null> {
    const ids = await this.rarest(this.most);
    if (ids === null) return null;
    const found = await this.check(ids);
    return found.sort((left, right) => (left.ref < right.ref ? -1 : 1));
  }

  private async walk(after: string, limit: number): Promise<Found<FoundFacts, PartnerRef>> {
    const { database, conditions, now } = this;
    const rows: FoundFacts[] = [];
    let position = after;
    let looked = 0;
    for (let size = limit; looked < LOOKED_PER_CALL; size *= GROWTH) {
      const atMost = Math.min(size, LOOKED_AT_ONCE);
      const facts = await factsOf(database, { after: position, limit: atMost, conditions }, now);
      for (const each of facts) {
        looked += 1;
        position = each.ref;
        if (this.isSought(each)) rows.push(each);
        if (rows.length === limit) return { rows, next: each.ref, looked };
      }
      if (facts.length < atMost) return { rows, next: null, looked };
    }
    return { rows, next: position as PartnerRef, looked };
  }

  private async check(ids: readonly number[]): Promise<FoundFacts[]> {
    const { database, conditions, now } = this;
    const found: FoundFacts[] = [];
    for (let checked = 0; checked < ids.length; checked += LOOKED_AT_ONCE) {
      const some = ids.slice(checked, checked + LOOKED_AT_ONCE);
      found.push(...(await factsOf(database, { ids: some, conditions }, now)).filter((each) => this.isSought(each)));
    }
    return found;
  }

  private isSought({ isMet, state }: FoundFacts): boolean {
    return isMet && (this.filter.states?.includes(state) ?? true);
  }

  /** The partners that meet the rarest condition, each once; null when they are more. */
  private async rarest(most: number): Promise<number[] | null> {
    const [rarest] = await countsOf(this.database, this.narrow, most + 1);
    if (rarest === undefined || rarest.count > most) return null;
    const selected = rarest.sources.map(select);
    return this.idsOf(
      selected.map(({ sql }) => sql).join(' UNION '),
      selected.flatMap(({ parameters }) => parameters),
    );
  }

  private async idsOf(sql: string, parameters: Parameter[]): Promise<number[]> {
    const rows = await this.database.read(sql, parameters);
    return [...new Set(rows.map(({ id }) => Number(id)))];
  }
}

interface Counting {
  /** The ids of partners that may be counted. */
  unchecked: number[];
  count: number;
  more: boolean;
}

/** Not EXISTS: MariaDB reads all rows that meet its other conditions, once for each statement. */
function hasWord(word: string): Condition {
  const { sql, parameters } = textBeginsWith('w.word', word);
  return condition(`(SELECT COUNT(*) FROM partner_word w WHERE w.partner_id = p.id AND ${sql}) > 0`, ...parameters);
}

function ofWord({ dialect }: Database, word: string): Narrow {
  const from = `partner_word w${dialect.byIndex('ix_partner_word')}`;
  return { sources: [{ from, id: 'w.partner_id', conditions: [textBeginsWith('w.word', word)] }], isOwn: true };
}

/** None when partners of one of the states are in no index. */
function ofStates(database: Database, states: readonly PartnerState[] | undefined): Narrow[] {
  const sources = states?.map((state) => STATE_SOURCES[state]?.(database) ?? null);
  if (sources === undefined || sources.some((source) => source === null)) return [];
  return [{ sources: sources.filter((source) => source !== null), isOwn: true }];
}

function ofStage({ dialect }: Database, stage: PartnerStage): IdSource {
  const from = `partner p${dialect.byIndex('ix_partner_stage')}`;
  return { from, id: 'p.id', conditions: [condition('p.stage = ?', stage)] };
}
