import type { AttentionReason, StoredReason } from '@mailstead/core/attention/attention';
import type { DomainFilter } from '@mailstead/core/domains/domain-finder';
import type { Database } from '../driver/database.js';
import { presentCondition, presentPeriods, storedAs } from './attention-rows.js';
import { condition, ofPartner } from './conditions.js';
import { MAIL_WAITS } from './mail-stop-condition.js';
import type { Condition, IdSource } from './search-plan.js';
import { verificationCondition } from './verification-condition.js';

/** The most partners whose lists are merged. A list with the domains of more walks through all domains. */
const MERGED_PARTNERS = 16;
const STAGES = "('changes', 'all')";
const OF_SUSPENDED_PARTNER = `EXISTS (SELECT 1 FROM partner p WHERE p.id = d.partner_id AND p.stage IN ${STAGES})`;

/** What a filter adds to the search for domains `d`. Without `walk`, another index is walked through. */
interface AttentionPart {
  conditions: Condition[];
  narrow: IdSource[];
  walk: IdSource[];
}

/** The partner is suspended, so all its domains are found. */
const EVERY: AttentionPart = { conditions: [], narrow: [], walk: [] };

/**
 * Plans the filters about attention, the narrower first. Rows of `domain_attention` tell the stored reasons. Whether
 * the partner is suspended is read from the partner.
 *
 * @returns null when no domain can be found.
 */
export async function attentionParts(
  database: Database,
  partner: number | 'all',
  { attention, attentionReason: reason }: Pick<DomainFilter, 'attention' | 'attentionReason'>,
  now: Date,
): Promise<AttentionPart[] | null> {
  const parts: AttentionPart[] = [];
  if (reason !== undefined) {
    const part = await ofReason(database, partner, reason, now);
    if (part === null) return null;
    parts.push(part);
  }
  if (attention === true) parts.push(await ofAnyReason(database, partner, now));
  return parts;
}

async function ofReason(
  database: Database,
  partner: number | 'all',
  reason: AttentionReason,
  now: Date,
): Promise<AttentionPart | null> {
  if (reason === 'partner_suspended') {
    const suspended = await suspendedPartners(database, partner);
    if (suspended.length === 0) return null;
    if (partner !== 'all') return EVERY;
    return { conditions: [condition(OF_SUSPENDED_PARTNER)], narrow: [], walk: ofPartners(database, suspended) };
  }
  const source = reasonSource(database, partner, reason, (await presentPeriods(database, now))(reason));
  const row = source.conditions.slice(0, 2);
  const listed = condition(
    `EXISTS (SELECT 1 FROM domain_attention a WHERE a.domain_id = d.id AND ${row.map(({ sql }) => sql).join(' AND ')})`,
    ...row.flatMap(({ parameters }) => parameters),
  );
  return { conditions: [listed, ...stillHolds(reason, now)], narrow: [source], walk: [source] };
}

async function ofAnyReason(database: Database, partner: number | 'all', now: Date): Promise<AttentionPart> {
  const suspended = await suspendedPartners(database, partner);
  if (suspended.length > 0 && partner !== 'all') return EVERY;
  const present = presentCondition(now);
  const due = verificationCondition('verified', now);
  const parameters = [...present.parameters, ...due.parameters];
  const listed = `EXISTS (SELECT 1 FROM domain_attention a WHERE a.domain_id = d.id AND ${present.sql} AND (a.reason <> 'unverified' OR NOT ${due.sql}))`;
  // Present or past reasons, and a domain once for each. The index of the key has no name on SQLite.
  const index = partner === 'all' ? '' : database.dialect.byIndex('ix_domain_attention');
  const source = {
    from: `domain_attention a${index}`,
    id: 'a.domain_id',
    conditions: ofPartner(partner, 'a.partner_id'),
  };
  if (suspended.length === 0) {
    return { conditions: [condition(listed, ...parameters)], narrow: [source], walk: [source] };
  }
  const lists = ofPartners(database, suspended);
  return {
    conditions: [condition(`(${listed} OR ${OF_SUSPENDED_PARTNER})`, ...parameters)],
    narrow: [],
    walk: lists.length === 0 ? [] : [source, ...lists],
  };
}

/**
 * The domains with a row of the reason in the period, in the order of their ids. Its first conditions are these two.
 */
export function reasonSource(
  { dialect }: Database,
  partner: number | 'all',
  reason: StoredReason,
  period: string,
): IdSource {
  const index = partner === 'all' ? 'ix_domain_attention_reason' : 'ix_domain_attention_partner';
  return {
    from: `domain_attention a${dialect.byIndex(index)}`,
    id: 'a.domain_id',
    conditions: [
      condition('a.reason = ?', storedAs(reason)),
      condition('a.period = ?', period),
      ...ofPartner(partner, 'a.partner_id'),
    ],
  };
}

/** What a row does not tell: whether mail still waits; a domain may be verified since, or have a parent that is. */
export function stillHolds(reason: StoredReason, now: Date): Condition[] {
  if (reason === 'mail_waiting') return [condition(MAIL_WAITS)];
  if (reason !== 'unverified') return [];
  const { sql, parameters } = verificationCondition('verified', now);
  return [condition(`NOT ${sql}`, ...parameters)];
}

/** The suspended partners `p`, in the index of the stage, or by the key of the one. */
export function suspendedSource({ dialect }: Database, partner: number | 'all'): IdSource {
  return {
    from: `partner p${dialect.byIndex(partner === 'all' ? 'ix_partner_stage' : 'PRIMARY')}`,
    id: 'p.id',
    conditions: [condition(`p.stage IN ${STAGES}`), ...ofPartner(partner, 'p.id')],
  };
}

/** @returns the ids of partners, at most one more than are merged */
async function suspendedPartners(database: Database, partner: number | 'all'): Promise<number[]> {
  const { from, conditions } = suspendedSource(database, partner);
  const rows = await database.read(
    `SELECT p.id FROM ${from} WHERE ${conditions.map(({ sql }) => sql).join(' AND ')} LIMIT ${MERGED_PARTNERS + 1}`,
    conditions.flatMap(({ parameters }) => parameters),
  );
  return rows.map(({ id }) => Number(id));
}

/** The lists of the domains of each partner; none when they are too many to be merged. */
function ofPartners({ dialect }: Database, partners: readonly number[]): IdSource[] {
  if (partners.length > MERGED_PARTNERS) return [];
  return partners.map((partner) => ({
    from: `domain d${dialect.byIndex('ix_domain_partner')}`,
    id: 'd.id',
    conditions: ofPartner(partner, 'd.partner_id'),
  }));
}
