import { STORED_REASONS, type StoredReason } from '@mailstead/core/attention/attention';
import { STATE_REASONS } from '@mailstead/core/domain-states/domain-state';
import type { Flow } from '@mailstead/core/domains/flow';
import { type Database, type Parameter, placeholders } from '../driver/database.js';
import { presentPeriods, storedAs } from './attention-rows.js';
import { reasonSource, suspendedSource } from './attention-search.js';
import { anyOf, condition, ofPartner } from './conditions.js';
import { type Condition, type IdSource, select } from './search-plan.js';
import { verificationCondition } from './verification-condition.js';

/** What the database tells of domains in a flow: at least one of these holds for each of them. */
interface Signs {
  /** A stored reason of the domain. */
  own?: readonly StoredReason[];
  /** A stored reason of its parent. */
  parents?: readonly StoredReason[];
  /** Neither the domain nor its parent is verified. */
  unverified?: true;
  /** The domain is not open for inbound mail. */
  closed?: true;
  /** The partner is suspended, or the relay provider paused its mail. */
  partnerStopped?: true;
}

const LIMITS = ['daily_limit', 'monthly_limit', 'transfer_limit'] as const satisfies StoredReason[];

/** The stored reasons of domains whose mail passes. */
const RISKS = STORED_REASONS.filter((reason) => STATE_REASONS.includes(reason));

/** Null: of such domains nothing is stored. */
const SIGNS: Record<Flow, Signs | null> = {
  yes: null,
  at_risk: { own: RISKS },
  monitored: { own: LIMITS, parents: LIMITS },
  pending: { unverified: true },
  off: { own: ['suspended'], parents: ['suspended'], partnerStopped: true },
  waits: { own: LIMITS, parents: LIMITS, unverified: true, partnerStopped: true },
  no: { own: ['blocked', 'dns_missing'], parents: ['blocked'], unverified: true, closed: true },
};

/** The most parents, or partners, whose domains are looked for in an index. */
const FEW = 500;

/** The domains `d` that may be in a flow, and the indexes that have them; null: no indexes have few of them. */
export interface StatePart {
  condition: Condition;
  sources: IdSource[] | null;
}

/**
 * A domain whose counter can count no further message (2,147,483,647 in a month) is `no` without a sign, and not found.
 *
 * @returns null when every domain may be in one of the flows
 */
export async function statePart(
  database: Database,
  partner: number | 'all',
  flows: readonly Flow[],
  now: Date,
): Promise<StatePart | null> {
  const signs = flows.map((flow) => SIGNS[flow]);
  const known = signs.filter((each) => each !== null);
  if (known.length < signs.length) return null;
  const periodOf = await presentPeriods(database, now);
  const reasons = (of: (signs: Signs) => readonly StoredReason[] | undefined) =>
    [...new Set(known.flatMap((each) => of(each) ?? []))].map((reason) => ({ reason, period: periodOf(reason) }));
  const has = (sign: keyof Signs) => known.some((each) => each[sign] === true);
  const ways = new StateWays(database, partner);
  const parts = [
    ...ways.marked(reasons(({ own }) => own)),
    ...(await ways.ofMarkedParents(reasons(({ parents }) => parents))),
    ...(has('unverified') ? [ways.unverified(now)] : []),
    ...(has('closed') ? [ways.closed()] : []),
    ...(has('partnerStopped') ? [await ways.ofSuspendedPartners(), await ways.ofPausedPartners()] : []),
  ];
  const sources = parts.flatMap((part) => part.sources ?? []);
  return {
    condition: anyOf(parts.map((part) => part.condition)),
    sources: parts.some((part) => part.sources === null) ? null : sources,
  };
}

/** A reason in its present period. */
interface PresentReason {
  reason: StoredReason;
  period: string;
}

class StateWays {
  constructor(
    private readonly database: Database,
    private readonly partner: number | 'all',
  ) {}

  marked(reasons: readonly PresentReason[]): StatePart[] {
    if (reasons.length === 0) return [];
    return [{ condition: hasReason('d.id', reasons), sources: reasons.map((each) => this.rowsOf(each)) }];
  }

  /** A parent has the partner of its children. */
  async ofMarkedParents(reasons: readonly PresentReason[]): Promise<StatePart[]> {
    if (reasons.length === 0) return [];
    const marked = reasons.map((each) => this.rowsOf(each));
    return [{ condition: hasReason('d.parent_id', reasons), sources: await this.domainsOf('parent_id', marked) }];
  }

  unverified(now: Date): StatePart {
    const { sql, parameters } = verificationCondition('verified', now);
    const sources = ['unverified', 'pending', 'failed'].map((status) => ({
      from: `verification v${this.database.dialect.byIndex('ix_verification_status')}`,
      id: 'v.domain_id',
      conditions: [condition('v.status = ?', status), ...ofPartner(this.partner, 'v.partner_id')],
    }));
    return { condition: condition(`NOT ${sql}`, ...parameters), sources };
  }

  closed(): StatePart {
    const pending = condition("d.inbound = 'pending'");
    const from = `domain d${this.database.dialect.byIndex('ix_domain_inbound')}`;
    const conditions = [pending, ...ofPartner(this.partner, 'd.partner_id')];
    return { condition: pending, sources: [{ from, id: 'd.id', conditions }] };
  }

  async ofSuspendedPartners(): Promise<StatePart> {
    const suspended = suspendedSource(this.database, this.partner);
    return {
      condition: hasRow('partner p', 'p.id = d.partner_id AND p.stage IS NOT NULL'),
      sources: await this.domainsOf('partner_id', [suspended]),
    };
  }

  async ofPausedPartners(): Promise<StatePart> {
    const paused = "w.status = 'paused'";
    const conditions = [condition(paused), ...ofPartner(this.partner, 'w.partner_id')];
    return {
      condition: hasRow('relay_tenant w', `w.partner_id = d.partner_id AND ${paused}`),
      sources: await this.domainsOf('partner_id', [{ from: 'relay_tenant w', id: 'w.partner_id', conditions }]),
    };
  }

  /** The domains of these parents or partners; null when they are many. */
  private async domainsOf(column: 'parent_id' | 'partner_id', owners: readonly IdSource[]): Promise<IdSource[] | null> {
    const selected = owners.map((source, index) => {
      const { sql, parameters } = select(source);
      return { sql: `SELECT id FROM (${sql} LIMIT ${FEW + 1}) AS owner${index}`, parameters };
    });
    const rows = await this.database.read(
      selected.map(({ sql }) => sql).join(' UNION '),
      selected.flatMap(({ parameters }) => parameters),
    );
    if (rows.length > FEW) return null;
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => Number(id));
    const index = column === 'parent_id' ? 'ix_domain_parent' : 'ix_domain_partner';
    const among = condition(`d.${column} IN (${placeholders(ids)})`, ...ids);
    return [{ from: `domain d${this.database.dialect.byIndex(index)}`, id: 'd.id', conditions: [among] }];
  }

  private rowsOf({ reason, period }: PresentReason): IdSource {
    return reasonSource(this.database, this.partner, reason, period);
  }
}

function hasReason(domainId: string, reasons: readonly PresentReason[]): Condition {
  const among = anyOf(
    reasons.map(({ reason, period }) => condition('a.reason = ? AND a.period = ?', storedAs(reason), period)),
  );
  return hasRow('domain_attention a', `a.domain_id = ${domainId} AND ${among.sql}`, ...among.parameters);
}

/** Not EXISTS: MariaDB reads all rows that meet its other conditions, once for each statement. */
function hasRow(from: string, where: string, ...parameters: Parameter[]): Condition {
  return condition(`(SELECT COUNT(*) FROM ${from} WHERE ${where}) > 0`, ...parameters);
}
