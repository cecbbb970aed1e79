import type { DomainBeginnings, DomainFilter } from '@mailstead/core/domains/domain-finder';
import { SUSPENSION_CAUSES } from '@mailstead/core/domains/suspension';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { VerificationStatus } from '@mailstead/core/relay/verification';
import { type Database, placeholders } from '../driver/database.js';
import { Filter } from '../driver/filter.js';
import { attentionParts } from './attention-search.js';
import { anyBeginning, type Beginning, ofPartnersBeginning } from './beginnings.js';
import {
  beginsWith,
  condition,
  type Equality,
  equalCondition,
  given,
  isServed,
  ofPartner,
  textBeginsWith,
} from './conditions.js';
import { partnerOfList } from './partner-of-list.js';
import { type Condition, type IdSource, narrowOf, type SearchPlan } from './search-plan.js';
import { statePart } from './state-part.js';
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
    if (partner === null || parentId === null) return null;
    const equalities = equalitiesOf(filter, parentId);
    const own = ofPartner(partner, 'd.partner_id');
    const conditions = [...own, ...equalities.map(equalCondition)];
    const narrow = equalities.map((equality) => [this.equal(equality, own)]);
    const { begins, status, verificationStatus } = filter;
    if (status === 'suspended') {
      const suspended = condition(`d.suspension_causes IN (${placeholders(SUSPENDED)})`, ...SUSPENDED);
      conditions.push(suspended);
      narrow.push([this.inIndex('domain d', 'ix_domain_suspension', 'd.id', [suspended, ...own])]);
    }
    if (begins !== undefined) {
      const any = anyBeginning(await this.beginnings(partner, begins));
      if (any === null) return null;
      conditions.push(any.condition);
      if (any.sources !== null) narrow.push(any.sources);
    }
    if (verificationStatus !== undefined) conditions.push(verificationCondition(verificationStatus, now));
    if (verificationStatus !== undefined && verificationStatus !== 'verified') {
      narrow.push([this.ofVerification(partner, verificationStatus)]);
    }
    const state = filter.flows === undefined ? null : await statePart(this.database, partner, filter.flows, now);
    if (state !== null) {
      conditions.push(state.condition);
      if (state.sources !== null) narrow.push(state.sources);
    }
    const attention = await attentionParts(this.database, partner, filter, now);
    if (attention === null) return null;
    for (const part of attention) {
      conditions.push(...part.conditions);
      narrow.push(...part.narrow.map((source) => [source]));
    }
    const some: IdSource[] = [];
    if (scope !== 'all' && scope.domainIds !== null) {
      if (scope.domainIds.length === 0) return null;
      const among = condition(`d.id IN (${placeholders(scope.domainIds)})`, ...scope.domainIds);
      conditions.push(among);
      some.push({ from: 'domain d', id: 'd.id', conditions: [among] });
    }
    const walk = attention.find((part) => part.walk.length > 0)?.walk ?? [this.walk(partner, filter, equalities)];
    const from = `domain d${this.database.dialect.byPrimaryKey}`;
    const isWalkComplete = walk.every((source) => isServed(conditions, source));
    return { from, id: 'd.id', conditions, narrow: narrowOf(narrow, some), walk, isWalkComplete };
  }

  /** The index in which the domains of the partner that meet one of the conditions follow each other by their ids. */
  private walk(partner: number | 'all', { verificationStatus: status }: DomainFilter, [first]: Equality[]): IdSource {
    if (partner === 'all') return this.inIndex('domain d', 'PRIMARY', 'd.id', []);
    const own = ofPartner(partner, 'd.partner_id');
    if (first !== undefined) return this.equal(first, own);
    if (status !== undefined && status !== 'verified') return this.ofVerification(partner, status);
    return this.inIndex('domain d', 'ix_domain_partner', 'd.id', own);
  }

  private async beginnings(
    partner: number | 'all',
    { name, externalRef, partnerRef }: DomainBeginnings,
  ): Promise<Beginning[]> {
    const found: Beginning[] = [];
    if (name !== null) {
      const begins = beginsWith('s.suffix', name);
      const contains = containedIn('d.name', name);
      const ofDomain = `domain_suffix s${this.database.dialect.byIndex('ix_domain_suffix_domain')}`;
      found.push({
        condition: condition(
          `${contains.sql}EXISTS (SELECT 1 FROM ${ofDomain} WHERE s.domain_id = d.id AND ${begins.sql})`,
          ...contains.parameters,
          ...begins.parameters,
        ),
        source: {
          from: 'domain_suffix s',
          id: 's.domain_id',
          conditions: [...ofPartner(partner, 's.partner_id'), begins],
        },
      });
    }
    if (externalRef !== null) {
      const begins = textBeginsWith('d.external_ref', externalRef);
      const index = partner === 'all' ? 'ix_domain_external_ref' : 'ix_domain_partner_external_ref';
      const source = this.inIndex('domain d', index, 'd.id', [...ofPartner(partner, 'd.partner_id'), begins]);
      found.push({ condition: begins, source });
    }
    if (partnerRef !== null) {
      const own = ofPartner(partner, 'd.partner_id');
      const ofPartners = (among: Condition) => this.inIndex('domain d', 'ix_domain_partner', 'd.id', [...own, among]);
      found.push(...(await ofPartnersBeginning(this.database, partnerRef, 'd.partner_id', ofPartners)));
    }
    return found;
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

/**
 * What the name has within a label has its `xn--` form too, because Punycode keeps the order of ASCII letters. So most
 * rows are checked without their texts.
 */
function containedIn(column: string, text: string): Condition {
  return /^[a-z0-9-]+$/.test(text) ? condition(`${column} LIKE ? AND `, `%${text}%`) : condition('');
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
