import {
  ATTENTION_REASONS,
  type AttentionReason,
  STORED_REASONS,
  type StoredReason,
} from '@mailstead/core/attention/attention';
import { COUNTED_DOMAINS, FIRST_DOMAINS } from '@mailstead/core/domains/domain-finder';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import { type Database, placeholders } from '../driver/database.js';
import { NO_ID } from '../driver/filter.js';
import { presentPeriods } from './attention-rows.js';
import { reasonSource, stillHolds, suspendedSource } from './attention-search.js';
import { condition, ofPartner } from './conditions.js';
import { partnerOfList } from './partner-of-list.js';
import type { Condition } from './search-plan.js';

/** Rows of an index that are looked at: one more shows that there are more than are counted. */
const LOOKED_AT = COUNTED_DOMAINS + 1;

/** How many domains need attention for a reason, and the ids of the first ones. */
interface Counted {
  count: number;
  more: boolean;
  ids: number[];
}

/** The domains of which rows are counted: of one partner or of all, perhaps only some. */
interface Asked {
  partner: number | 'all';
  domainIds: readonly number[] | null;
}

/** Counts the domains that need attention, each reason in its index, and looks at a limited number of rows of each. */
export class NeedingDomainsCount {
  constructor(private readonly database: Database) {}

  /** @returns the reasons that any domain has, in the order of `ATTENTION_REASONS` */
  async ofEachReason(
    scope: PartnerScope,
    partnerRef: PartnerRef | undefined,
    now: Date,
  ): Promise<(Counted & { reason: AttentionReason })[]> {
    const partner = await partnerOfList(this.database, scope, partnerRef);
    if (partner === null) return [];
    const asked: Asked = { partner, domainIds: scope === 'all' ? null : scope.domainIds };
    const periodOf = await presentPeriods(this.database, now);
    const counted = new Map<AttentionReason, Counted>();
    for (const reason of STORED_REASONS) {
      counted.set(reason, await this.ofStoredReason(asked, reason, periodOf(reason), now));
    }
    counted.set('partner_suspended', await this.ofSuspendedPartners(asked));
    return ATTENTION_REASONS.flatMap((reason) => {
      const found = counted.get(reason);
      return found === undefined || found.count === 0 ? [] : [{ reason, ...found }];
    });
  }

  private async ofStoredReason(
    { partner, domainIds }: Asked,
    reason: StoredReason,
    period: string,
    now: Date,
  ): Promise<Counted> {
    const source = reasonSource(this.database, partner, reason, period);
    const rows = joined([...source.conditions, ...among('a.domain_id', domainIds)]);
    const holds = joined([
      condition('d.id IS NOT NULL'),
      ...ofPartner(partner, 'd.partner_id'),
      ...stillHolds(reason, now),
    ]);
    const found = await this.database.read(
      `SELECT m.id, m.holds, SUM(m.holds) OVER () AS held, COUNT(*) OVER () AS looked
         FROM (SELECT f.id, CASE WHEN ${holds.sql} THEN 1 ELSE 0 END AS holds
                 FROM (SELECT a.domain_id AS id FROM ${source.from} WHERE ${rows.sql} ORDER BY a.domain_id LIMIT ${LOOKED_AT}) AS f
                 LEFT JOIN domain d${this.database.dialect.byPrimaryKey} ON d.id = f.id) AS m
        ORDER BY m.holds DESC, m.id LIMIT ${FIRST_DOMAINS}`,
      [...holds.parameters, ...rows.parameters],
    );
    return {
      count: Math.min(Number(found[0]?.held ?? 0), COUNTED_DOMAINS),
      more: Number(found[0]?.looked ?? 0) > COUNTED_DOMAINS,
      ids: found.filter((row) => Number(row.holds) === 1).map(({ id }) => Number(id)),
    };
  }

  /** Each partner stores how many domains it has. */
  private async ofSuspendedPartners({ partner, domainIds }: Asked): Promise<Counted> {
    const source = suspendedSource(this.database, partner);
    const { sql, parameters } = joined(source.conditions);
    const found = await this.database.read(
      `SELECT s.id, s.domain_count, SUM(s.domain_count) OVER () AS domains, COUNT(*) OVER () AS looked
         FROM (SELECT p.id, p.domain_count FROM ${source.from} WHERE ${sql} LIMIT ${LOOKED_AT}) AS s
        ORDER BY s.domain_count > 0 DESC, s.id LIMIT ${FIRST_DOMAINS}`,
      parameters,
    );
    if (domainIds !== null)
      return this.someOfPartners(
        found.map(({ id }) => Number(id)),
        domainIds,
      );
    const domains = Number(found[0]?.domains ?? 0);
    const partners = found.filter((row) => Number(row.domain_count) > 0).map(({ id }) => Number(id));
    return {
      count: Math.min(domains, COUNTED_DOMAINS),
      more: domains > COUNTED_DOMAINS || Number(found[0]?.looked ?? 0) > COUNTED_DOMAINS,
      ids: await this.oldestOfEach(partners),
    };
  }

  /** For a caller that is limited to some domains of its partner. */
  private async someOfPartners(partners: readonly number[], domainIds: readonly number[]): Promise<Counted> {
    if (partners.length === 0) return { count: 0, more: false, ids: [] };
    const { sql, parameters } = joined([...among('d.partner_id', partners), ...among('d.id', domainIds)]);
    const rows = await this.database.read(
      `SELECT COUNT(*) AS found, MIN(d.id) AS oldest FROM domain d${this.database.dialect.byPrimaryKey} WHERE ${sql}`,
      parameters,
    );
    const count = Number(rows[0]?.found ?? 0);
    return { count, more: false, ids: count === 0 ? [] : [Number(rows[0]?.oldest)] };
  }

  /** One look into the index for each partner: a GROUP BY reads all domains of the partners on SQLite. */
  private async oldestOfEach(partners: readonly number[]): Promise<number[]> {
    if (partners.length === 0) return [];
    const oldest = `SELECT MIN(d.id) AS id FROM domain d${this.database.dialect.byIndex('ix_domain_partner')} WHERE d.partner_id = ?`;
    const rows = await this.database.read(partners.map(() => oldest).join(' UNION ALL '), [...partners]);
    return rows.flatMap(({ id }) => (id === null ? [] : [Number(id)]));
  }
}

function joined(conditions: readonly Condition[]): Condition {
  return condition(
    conditions.map(({ sql }) => sql).join(' AND '),
    ...conditions.flatMap(({ parameters }) => parameters),
  );
}

/** No condition for null. */
function among(column: string, ids: readonly number[] | null): Condition[] {
  if (ids === null) return [];
  const known = [NO_ID, ...ids];
  return [condition(`${column} IN (${placeholders(known)})`, ...known)];
}
