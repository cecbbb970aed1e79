import type { PartnerRef, PartnerStage } from '@mailstead/core/partners/partner';
import { type PartnerState, partnerState } from '@mailstead/core/partners/partner-state';
import { type Database, placeholders } from '../driver/database.js';
import { condition } from '../finding/conditions.js';
import type { Condition } from '../finding/search-plan.js';
import { EXISTS } from './partner-statements.js';

export interface FoundFacts {
  id: number;
  ref: PartnerRef;
  state: PartnerState;
  /** Whether it is listed and meets the conditions. */
  isMet: boolean;
}

/** Which partners are looked at: some, or those that follow a reference. */
type Looked = { conditions: readonly Condition[] } & ({ ids: readonly number[] } | { after: string; limit: number });

/** Only a key that an operator created, of the whole partner, has a limit of its own and creates domains. */
const DOMAINS_ALLOWED = `
  (SELECT CASE WHEN MIN(k.domains_allowed) = 0 THEN 0 ELSE MAX(k.domains_allowed) END FROM api_key k
    WHERE k.partner_id = p.id AND k.maker_id IS NULL AND k.active = 1 AND k.scope = 'manage' AND k.is_limited = 0
      AND (k.expires_at IS NULL OR k.expires_at > ?))`;

/** Reads the states of partners, in the order of their references, and whether they meet conditions on `p`. */
export async function factsOf(database: Database, looked: Looked, now: Date): Promise<FoundFacts[]> {
  const met = [condition(EXISTS), condition("p.ref <> ''"), ...looked.conditions];
  const where =
    'ids' in looked
      ? condition(`p.id IN (${placeholders(looked.ids)}) ORDER BY p.ref`, ...looked.ids)
      : condition('p.ref > ? ORDER BY p.ref LIMIT ?', looked.after, looked.limit);
  const rows = await database.read(
    `SELECT p.id, p.ref, p.stage, p.domain_count, ${DOMAINS_ALLOWED} AS domains_allowed,
            (SELECT COUNT(*) FROM relay_tenant w WHERE w.partner_id = p.id AND w.status = 'paused') AS paused,
            CASE WHEN ${met.map(({ sql }) => sql).join(' AND ')} THEN 1 ELSE 0 END AS is_met
       FROM partner p WHERE ${where.sql}`,
    [now.getTime(), ...met.flatMap(({ parameters }) => parameters), ...where.parameters],
  );
  return rows.map((row) => ({
    id: Number(row.id),
    ref: String(row.ref) as PartnerRef,
    state: partnerState({
      stage: row.stage as PartnerStage | null,
      isRelayPaused: Number(row.paused) > 0,
      domainCount: Number(row.domain_count),
      domainsAllowed: Number(row.domains_allowed ?? 0),
    }),
    isMet: Number(row.is_met) === 1,
  }));
}
