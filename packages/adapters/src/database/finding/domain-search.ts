import type { DomainFilter } from '@mailstead/core/domains/domain-finder';
import { SUSPENSION_CAUSES } from '@mailstead/core/domains/suspension';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { VerificationStatus } from '@mailstead/core/relay/verification';
import { type Database, placeholders } from '../driver/database.js';
import { Filter } from '../driver/filter.js';
import { attentionParts } from './attention-search.js';
import { beginsWith, condition, type Equality, equalCondition, given, ofPartner } from './conditions.js';
import type { Condition, IdSource, SearchPlan } from './id-search.js';
import { partnerOfList } from './partner-of-list.js';
import { verificationCondition } from './verification-condition.js';

/** The texts of all sets with at least one cause. */
const SUSPENDED = SUSPENSION_CAUSES.reduce<string[][]>(
  (sets, cause) => [...sets, ...sets.map((set) => [...set, cause])],
  [[]],
)
  .filter((set) => set.length > 0)
  .map((set) => set.join(','));

/** Plans the search for domains. */
export class DomainSearch {
  constructor(private readonly database: Database) {}

  /** @returns null when no domain can be found. */
  async plan(scope: PartnerScope, filter: DomainFilter, now: Date): Promise<SearchPlan | null> {
    const partner = await partnerOfList(this.database, scope, filter.partnerRef);
    const parentId = filter.parent === undefined ? undefined : await this.parentId(scope, filter.parent);
    if (partner === null || parentId === null || filter.prefix === null) return null;
    const equalities = equalitiesOf(filter, parentId);
    const own = ofPartner(partner, 'd.partner_id');
    const conditions = [...own, ...equalities.map(equalCondition)];
    const narrow = equalities.map((equality) => this.equal(equality, own));
    const { prefix, status, verificationStatus } = filter;
    if (status === 'suspended') {
      const suspended = condition(`d.suspension_causes IN (${placeholders(SUSPENDED)})`, ...SUSPENDED);
      conditions.push(suspended);
      narrow.push(this.inIndex('domain d', 'ix_domain_suspension', 'd.id', [suspended, ...own]));
    }
    if (prefix !== undefined) {
      conditions.push(condition('(d.name LIKE ? OR d.name LIKE ?)', `${prefix}%`, `%.${prefix}%`));
      const ofSuffix = [...ofPartner(partner, 's.partner_id'), beginsWith('s.suffix', prefix)];
      narrow.push({ from: 'domain_suffix s', id: 's.domain_id', conditions: ofSuffix });
    }
    if (verificationStatus !== undefined) conditions.push(verificationCondition(verificationStatus, now));
    if (verificationStatus !== undefined && verificationStatus !== 'verified') {
      narrow.push(this.ofVerification(partner, verificationStatus));
    }
    const attention = await attentionParts(this.database, partner, filter, now);
    if (attention === null) return null;
    for (const part of attention) {
      conditions.push(...part.conditions);
      narrow.push(...part.narrow);
    }
    if (scope !== 'all' && scope.domainIds !== null) {
      if (scope.domainIds.length === 0) return null;
      const among = condition(`d.id IN (${placeholders(scope.domainIds)})`, ...scope.domainIds);
      conditions.push(among);
      narrow.push({ from: 'domain d', id: 'd.id', conditions: [among] });
    }
    const walk = attention.find((part) => part.walk.length > 0)?.walk ?? [this.walk(partner, filter, equalities)];
    const from = `domain d${this.database.dialect.byPrimaryKey}`;
    const isWalkComplete = walk.every((source) => isServed(conditions, source));
    return { from, id: 'd.id', conditions, narrow, walk, isWalkComplete };
  }

  /** The index in which the domains of the partner that meet one of the conditions follow each other by their ids. */
  private walk(partner: number | 'all', { verificationStatus: status }: DomainFilter, [first]: Equality[]): IdSource {
    if (partner === 'all') return this.inIndex('domain d', 'PRIMARY', 'd.id', []);
    const own = ofPartner(partner, 'd.partner_id');
    if (first !== undefined) return this.equal(first, own);
    if (status !== undefined && status !== 'verified') return this.ofVerification(partner, status);
    return this.inIndex('domain d', 'ix_domain_partner', 'd.id', own);
  }

  private equal(equality: Equality, own: Condition[]): IdSource {
    return this.inIndex('domain d', equality.index, 'd.id', [equalCondition(equality), ...own]);
  }

  /** The domains whose own verification has the status. */
  private ofVerification(partner: number | 'all', status: VerificationStatus): IdSource {
    const conditions = [condition('v.status = ?', status), ...ofPartner(partner, 'v.partner_id')];
    return this.inIndex('verification v', 'ix_verification_status', 'v.domain_id', conditions);
  }

  private inIndex(table: string, index: string | null, id: string, conditions: Condition[]): IdSource {
    return { from: `${table}${index === null ? '' : this.database.dialect.byIndex(index)}`, id, conditions };
  }

  private async parentId(scope: PartnerScope, name: string): Promise<number | null> {
    const { sql, parameters } = new Filter('name = ?', name).inScope(scope, 'partner_id', 'id');
    const [row] = await this.database.read(`SELECT id FROM domain WHERE ${sql}`, parameters);
    return row === undefined ? null : Number(row.id);
  }
}

function equalitiesOf(
  { externalRef, plan, outboundStatus, inbound, status }: DomainFilter,
  parentId: number | undefined,
): Equality[] {
  return given([
    ['d.external_ref', externalRef, 'ix_domain_external_ref'],
    ['d.parent_id', parentId, 'ix_domain_parent'],
    ['d.plan', plan, 'ix_domain_plan'],
    ['d.outbound_status', outboundStatus, 'ix_domain_outbound_status'],
    ['d.inbound', inbound, 'ix_domain_inbound'],
    ['d.suspension_causes', status === 'active' ? '' : undefined, 'ix_domain_suspension'],
  ]);
}

/** Whether the rows of an index meet all conditions. */
function isServed(conditions: Condition[], { conditions: served }: IdSource): boolean {
  return conditions.every(({ sql }) => served.some((each) => each.sql === sql));
}
