import { type DomainFilter, DomainFinder, type FoundDomain } from '../domains/domain-finder.js';
import { type Flow } from '../domains/flow.js';
import { needs } from '../needs.js';
import type { Page } from '../page.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import { COUNTED_ROWS, type CountedSearch, type CountRows, type Found, type Search } from '../search.js';
import { overallFlow } from './domain-state.js';
import { DomainStates, type StatedDomain } from './domain-states.js';

/** Rows whose states are read at once. */
const DECIDED_AT_ONCE = 500;
/** How many times as many rows are looked at next, while few of them are in a sought flow. */
const GROWTH = 4;

/** Finds domains with their states, and domains by their states. */
@needs(DomainFinder, DomainStates, RestoreGate)
export class StateSearch {
  constructor(
    private readonly finder: DomainFinder,
    private readonly states: DomainStates,
    private readonly gate: RestoreGate,
  ) {}

  /** @param flows only domains whose worse direction is one of these; undefined: all domains */
  domains(
    scope: PartnerScope,
    filter: DomainFilter,
    flows: readonly Flow[] | undefined,
    now: Date,
  ): CountedSearch<StatedDomain> {
    if (flows === undefined) {
      const search = this.finder.domains(scope, filter, now);
      return Object.assign(this.withStates(search, now), { count: search.count });
    }
    // Until a restored database is accepted, all domains wait, whatever is stored of them.
    const sought = this.gate.isClosed ? filter : { ...filter, flows };
    const isSought = ({ state }: StatedDomain) => flows.includes(overallFlow(state));
    const pages = this.withStates(this.finder.domains(scope, sought, now), now);
    const all = this.withStates(this.finder.manyDomains(scope, sought, now), now);
    return Object.assign(only(pages, isSought), { count: countOf(all, isSought) });
  }

  private withStates(search: Search<FoundDomain>, now: Date): Search<StatedDomain> {
    return async (page) => {
      const found = await search(page);
      return { ...found, rows: await this.states.ofAll(found.rows, now) };
    };
  }
}

/** Rows that are left over, because few were asked for, are kept for the next call. */
function only<Row extends { id: number }>(search: Search<Row>, isSought: (row: Row) => boolean): Search<Row> {
  let least = 0;
  let left = { after: -1, rows: [] as Row[], next: null as number | null };
  return async (page: Page): Promise<Found<Row>> => {
    let found: Found<Row> = { ...left, looked: 0 };
    if (left.after !== page.after || left.rows.length === 0) {
      const limit = Math.min(Math.max(page.limit, least), DECIDED_AT_ONCE);
      const read = await search({ ...page, limit });
      found = { ...read, rows: read.rows.filter(isSought) };
      least = found.rows.length < page.limit ? limit * GROWTH : page.limit;
    }
    const rows = found.rows.slice(0, page.limit);
    const last = rows.at(-1)?.id ?? page.after;
    left = { after: last, rows: found.rows.slice(page.limit), next: found.next };
    return { rows, next: left.rows.length > 0 ? last : found.next, looked: found.looked };
  };
}

/** Only the rows themselves tell how many are sought. */
function countOf<Row>(search: Search<Row>, isSought: (row: Row) => boolean): CountRows {
  let count = 0;
  let looked = 0;
  let after = 0;
  return async () => {
    const found = await search({ after, limit: DECIDED_AT_ONCE, order: 'asc' });
    count += found.rows.filter(isSought).length;
    looked += found.looked;
    if (found.next === null) return { count, more: false };
    after = found.next;
    return looked < COUNTED_ROWS ? null : { count, more: true };
  };
}
