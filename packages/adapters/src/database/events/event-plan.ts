import type { FeedFilter } from '@mailstead/core/events/event-feed';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import { type Database, placeholders } from '../driver/database.js';
import { NO_ID } from '../driver/filter.js';
import { condition, ofPartner } from '../finding/conditions.js';
import { partnerOfList } from '../finding/partner-of-list.js';
import type { Condition, IdSource, SearchPlan } from '../finding/search-plan.js';

/** Plans the search for events. Their id is the position. @returns null when no event can be found */
export async function eventPlan(
  database: Database,
  { scope, partnerRef, types, domain }: FeedFilter,
): Promise<SearchPlan | null> {
  const partner = await partnerOfList(database, scope, partnerRef);
  if (partner === null) return null;
  const [kept] = await database.read('SELECT first_kept FROM event_position WHERE id = 1');
  const inIndex = (index: string, ...conditions: Condition[]): IdSource => ({
    from: `audit_log l${database.dialect.byIndex(index)}`,
    id: 'l.position',
    conditions,
  });
  const own = ofPartner(partner, 'l.partner_id');
  const domains = domainsOf(scope);
  const conditions = [condition('l.event_type IS NOT NULL'), ...own];
  if (domains !== null) conditions.push(condition(`l.domain_id IN (${placeholders(domains)})`, ...domains));
  if (types !== undefined) conditions.push(condition(`l.event_type IN (${placeholders(types)})`, ...types));
  let walk = [partner === 'all' ? inIndex('ix_audit_position') : inIndex('ix_audit_partner_position', ...own)];
  if (domain !== undefined) {
    const named = condition('l.domain = ?', domain);
    conditions.push(named);
    walk = [inIndex('ix_audit_domain_position', named)];
  } else if (domains !== null) {
    // A row of the same name that was made anew has another id, which the conditions check.
    const named = (id: number) => condition('l.domain = (SELECT name FROM domain WHERE id = ?)', id);
    walk = domains.map((id) => inIndex('ix_audit_domain_position', named(id)));
  }
  const from = `audit_log l${database.dialect.byIndex('ix_audit_position')}`;
  // Rows that left the feed are kept in the audit log.
  const lowest = Number(kept?.first_kept);
  return { from, id: 'l.position', conditions, narrow: [], walk, isWalkComplete: false, lowest };
}

/** The domains to which a caller is limited. Null: all of the partner. */
function domainsOf(scope: PartnerScope): number[] | null {
  return scope === 'all' || scope.domainIds === null ? null : [NO_ID, ...scope.domainIds];
}
