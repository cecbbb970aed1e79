import { needs } from '@mailstead/core/needs';
import {
  type PartnerFilter,
  PartnerFinder,
  type PartnerSearch,
  type StatedPartner,
} from '@mailstead/core/partners/partner-finder';
import type { PartnerState } from '@mailstead/core/partners/partner-state';
import type { Found } from '@mailstead/core/search';
import { Database, placeholders } from '../driver/database.js';
import { PartnerCandidates } from './partner-candidates.js';
import { type FoundFacts, factsOf } from './partner-facts.js';
import { SUMMARY, toSummary } from './partner-statements.js';

@needs(Database)
export class SqlPartnerFinder extends PartnerFinder {
  constructor(private readonly database: Database) {
    super();
  }

  override search(filter: PartnerFilter, now: Date): PartnerSearch {
    const candidates = new PartnerCandidates(this.database, filter, now);
    return {
      next: async (after, limit) => this.withSummaries(await candidates.next(after, limit)),
      count: () => candidates.count(),
    };
  }

  override async state(id: number, now: Date): Promise<PartnerState> {
    const [row] = await factsOf(this.database, { ids: [id], conditions: [] }, now);
    if (row === undefined) throw new Error(`There is no partner ${id}`);
    return row.state;
  }

  private async withSummaries<Position>(found: Found<FoundFacts, Position>): Promise<Found<StatedPartner, Position>> {
    const ids = found.rows.map(({ id }) => id);
    if (ids.length === 0) return { ...found, rows: [] };
    const rows = await this.database.read(`${SUMMARY} WHERE p.id IN (${placeholders(ids)})`, ids);
    const summaries = new Map(rows.map((row) => [Number(row.id), toSummary(row)]));
    return {
      ...found,
      rows: found.rows.flatMap(({ id, state }) => {
        const summary = summaries.get(id);
        return summary === undefined ? [] : [{ ...summary, state }];
      }),
    };
  }
}
