import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import { type Database, placeholders } from '../driver/database.js';
import { NO_ID } from '../driver/filter.js';
import { condition, ofPartner } from '../finding/conditions.js';
import { partnerOfList } from '../finding/partner-of-list.js';
import type { IdSource, SearchPlan } from '../finding/search-plan.js';

/**
 * Domains of one name, present and deleted, whose deletions are read domain by domain. With more, the list is walked.
 */
const FEW_DOMAINS = 50;

/** What is left of a deletion that a caller of the scope can restore; see `isRestorable`. The time is the parameter. */
const restorable = (t: string, scope: PartnerScope) => {
  const notLost =
    scope === 'all' ? `(${t}.other_holder_at IS NULL OR ${t}.actor_kind = 'operator')` : `${t}.other_holder_at IS NULL`;
  return `${t}.erased_at IS NULL AND ${t}.closed_at IS NULL AND ${t}.restored_at IS NULL AND ${notLost} AND ${t}.expires_at > ?`;
};
/** A mailbox can only come back into the same domain: that exists, or can be restored itself. */
const domainCondition = (scope: PartnerScope) => `(t.kind = 'domain'
  OR EXISTS (SELECT 1 FROM domain d WHERE d.id = t.domain_id AND d.partner_id = t.partner_id)
  OR EXISTS (SELECT 1 FROM tombstone o WHERE o.domain_id = t.domain_id AND o.kind = 'domain' AND o.partner_id = t.partner_id AND ${restorable('o', scope)}))`;
/** Plans the search for what can be restored. In conditions the table has the alias `t`. */
export async function deletedPlan(
  database: Database,
  scope: PartnerScope,
  { partnerRef, domain }: { partnerRef?: PartnerRef | undefined; domain?: DomainName | undefined },
  now: Date,
): Promise<SearchPlan | null> {
  const { dialect } = database;
  const partner = await partnerOfList(database, scope, partnerRef);
  if (partner === null) return null;
  const domains = domain === undefined ? null : await domainsNamed(database, domain);
  const inIndex = (index: string, conditions: IdSource['conditions']): IdSource => ({
    from: `tombstone t${dialect.byIndex(index)}`,
    id: 't.id',
    conditions,
  });
  const own = ofPartner(partner, 't.partner_id');
  const conditions = [
    condition("t.kind <> 'move'"),
    condition(restorable('t', scope), now.getTime()),
    condition(domainCondition(scope), now.getTime()),
    ...own,
  ];
  if (scope !== 'all' && scope.domainIds !== null) {
    // A key that is limited to some domains may restore none, and sees none.
    const ids = [NO_ID, ...scope.domainIds];
    conditions.push(condition("t.kind = 'mailbox'"), condition(`t.domain_id IN (${placeholders(ids)})`, ...ids));
  }
  let walk = [
    partner === 'all'
      ? inIndex('PRIMARY', [])
      : inIndex('ix_tombstone_restorable', [condition('t.erased_at IS NULL'), ...own]),
  ];
  if (domains !== null) {
    conditions.push(condition(`t.domain_id IN (${placeholders(domains)})`, ...domains));
    if (domains.length <= FEW_DOMAINS) {
      walk = domains.map((id) => inIndex('ix_tombstone_domain', [condition('t.domain_id = ?', id)]));
    }
  }
  const from = `tombstone t${dialect.byPrimaryKey}`;
  return { from, id: 't.id', conditions, narrow: [], walk, isWalkComplete: false };
}

/** The ids of the domain of the name, and of the deleted ones. */
async function domainsNamed(database: Database, name: DomainName): Promise<number[]> {
  const rows = await database.read(
    "SELECT id FROM domain WHERE name = ? UNION SELECT o.domain_id AS id FROM tombstone o WHERE o.name = ? AND o.kind = 'domain'",
    [name, name],
  );
  return [NO_ID, ...rows.map(({ id }) => Number(id))];
}
