import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { SuppressionFilter } from '@mailstead/core/suppressions/suppressions';
import { type Database, placeholders } from '../driver/database.js';
import { NO_ID } from '../driver/filter.js';
import { beginsWith, condition, ofPartner } from '../finding/conditions.js';
import { partnerOfList } from '../finding/partner-of-list.js';
import type { Condition, IdSource, SearchPlan } from '../finding/search-plan.js';

/**
 * Not expired, and of a domain that exists and that the partner still has, or of the partner as a whole. Not EXISTS,
 * for which MariaDB would read the ids of all domains first.
 */
export function presentSuppression(now: Date): Condition {
  return condition(
    `(t.expires_at IS NULL OR t.expires_at > ?) AND t.partner_id =
      CASE WHEN t.domain_id = 0 THEN t.partner_id ELSE (SELECT d.partner_id FROM domain d WHERE d.id = t.domain_id) END`,
    now.getTime(),
  );
}

/** The rows of a caller. One that is limited to some domains sees no row of its partner as a whole. */
export function inSuppressionScope(scope: PartnerScope): Condition[] {
  if (scope === 'all') return [];
  const own = condition('t.partner_id = ?', scope.partnerId);
  if (scope.domainIds === null) return [own];
  const ids = scope.domainIds.length === 0 ? [-1] : scope.domainIds;
  return [own, condition(`t.domain_id IN (${placeholders(ids)})`, ...ids)];
}

/** Plans the search. In conditions the table has the alias `t`. @returns null when no suppression can be found */
export async function suppressionPlan(
  database: Database,
  scope: PartnerScope,
  { partnerRef, domain, reason, begins }: SuppressionFilter,
  now: Date,
): Promise<SearchPlan | null> {
  const { dialect } = database;
  const partner = await partnerOfList(database, scope, partnerRef);
  const domainId = domain === undefined ? undefined : await idOf(database, domain);
  if (partner === null || domainId === NO_ID || begins === null) return null;
  const source = (index: string, conditions: Condition[]): IdSource => ({
    from: `suppression t${dialect.byIndex(index)}`,
    id: 't.id',
    conditions,
  });
  const own = ofPartner(partner, 't.partner_id');
  const ofDomain = domainId === undefined ? [] : [condition('t.domain_id = ?', domainId)];
  const beginning = begins === undefined || begins === '' ? [] : [beginsWith('t.address', begins)];
  const ofReason = reason === undefined ? [] : [condition('t.reason = ?', reason)];
  const narrow: IdSource[] = [];
  if (beginning.length > 0) {
    narrow.push(
      partner === 'all'
        ? source('ix_suppression_address', beginning)
        : source('ix_suppression_beginning', [...own, ...beginning]),
    );
  }
  if (partner !== 'all' && reason !== undefined) narrow.push(source('ix_suppression_reason', [...own, ...ofReason]));
  const walk =
    domainId !== undefined
      ? source('ix_suppression_domain', ofDomain)
      : partner === 'all'
        ? source('PRIMARY', [])
        : source('ix_suppression_partner', own);
  return {
    from: `suppression t${dialect.byPrimaryKey}`,
    id: 't.id',
    conditions: [presentSuppression(now), ...inSuppressionScope(scope), ...own, ...ofDomain, ...ofReason, ...beginning],
    narrow: narrow.map((each) => ({ sources: [each], isOwn: true })),
    walk: [walk],
    isWalkComplete: false,
  };
}

async function idOf(database: Database, name: string): Promise<number> {
  const [row] = await database.read('SELECT id FROM domain WHERE name = ?', [name]);
  return row === undefined ? NO_ID : Number(row.id);
}
