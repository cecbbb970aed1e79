import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import { type Database, placeholders } from '../driver/database.js';
import { NO_ID } from '../driver/filter.js';
import { anyBeginning, type Beginning } from './beginnings.js';
import { beginsWith, condition, type Equality, equalCondition, ofPartner, textBeginsWith } from './conditions.js';
import { partnerOfList } from './partner-of-list.js';
import { type Condition, type IdSource, narrowOf, type SearchPlan } from './search-plan.js';

/** A table of what domains contain, with a copy of the partner of each row (`partner-copy.ts`). */
interface ContentTable {
  table: 'mailbox' | 'alias';
  /** The column of the addresses. */
  address: 'email' | 'address';
  /** The indexes that begin with the domain, the partner, and the partner and the address. */
  ofDomain: string;
  ofPartner: string;
  ofPartnerAddress: string;
  /** The indexes that begin with the reference, and with the partner and the reference; null: it has none. */
  ofReference: { all: string; partner: string } | null;
}

const MAILBOXES: ContentTable = {
  table: 'mailbox',
  address: 'email',
  ofDomain: 'ix_mailbox_domain',
  ofPartner: 'ix_mailbox_partner',
  ofPartnerAddress: 'ix_mailbox_partner_email',
  ofReference: { all: 'ix_mailbox_external_ref', partner: 'ix_mailbox_partner_external_ref' },
};

const ALIASES: ContentTable = {
  table: 'alias',
  address: 'address',
  ofDomain: 'ix_alias_domain',
  ofPartner: 'ix_alias_partner',
  ofPartnerAddress: 'ix_alias_partner_address',
  ofReference: null,
};

export interface ContentFilter {
  partnerRef?: PartnerRef | undefined;
  domain?: DomainName | undefined;
  begins?: ContentBeginnings | undefined;
}

/** A row meets it when one of these begins so. Null: none does. */
interface ContentBeginnings {
  address: string | null;
  externalRef?: string | null;
}

/** A condition that is no equality. */
interface OtherCondition extends Condition {
  /** An index for it alone. */
  index?: string;
}

/** Plans the search for mailboxes or aliases. In conditions the table has the alias `t`. */
export class ContentSearch {
  static mailboxes = (database: Database) => new ContentSearch(database, MAILBOXES);
  static aliases = (database: Database) => new ContentSearch(database, ALIASES);

  private constructor(
    private readonly database: Database,
    private readonly names: ContentTable,
  ) {}

  /**
   * @param equalities further filters, each with an index.
   * @param others further conditions; each with an index is also looked for in it, for rows of any partner.
   * @returns null when nothing can be found.
   */
  async plan(
    scope: PartnerScope,
    { partnerRef, domain, begins }: ContentFilter,
    equalities: Equality[],
    others: OtherCondition[] = [],
  ): Promise<SearchPlan | null> {
    const partner = await partnerOfList(this.database, scope, partnerRef);
    if (partner === null) return null;
    const { table, ofDomain } = this.names;
    // Not a join, so that the database reads the rows by their ids and not the domains first.
    const conditions = [
      ...ofPartner(partner, '(SELECT d.partner_id FROM domain d WHERE d.id = t.domain_id)'),
      ...equalities.map(equalCondition),
      ...others,
    ];
    const copies = ofPartner(partner, 't.partner_id');
    const narrow = equalities.map((equality) => [this.inIndex(equality.index, [equalCondition(equality), ...copies])]);
    if (begins !== undefined) {
      const any = anyBeginning(this.beginnings(partner, begins));
      if (any === null) return null;
      conditions.push(any.condition);
      if (any.sources !== null) narrow.push(any.sources);
    }
    const domains = domainsOf(scope, domain);
    if (domains !== null) conditions.push(...domains);
    const ofDomains = domains === null ? [] : [this.inIndex(ofDomain, domains)];
    const ofAnyPartner = others.flatMap(({ index, ...other }) =>
      index === undefined ? [] : [{ sources: [this.inIndex(index, [other])], isOwn: partner === 'all' }],
    );
    // Without further conditions the list walks, and who reads its rows checks whose they are.
    const isPlain = equalities.length === 0 && others.length === 0 && begins === undefined;
    return {
      from: `${table} t${this.database.dialect.byPrimaryKey}`,
      id: 't.id',
      conditions,
      narrow: isPlain ? [] : [...narrowOf(narrow, ofDomains), ...ofAnyPartner],
      counted: ofDomains[0],
      walk: this.walk(partner, scope, domain, equalities),
      isWalkComplete: isPlain,
    };
  }

  private beginnings(partner: number | 'all', begins: ContentBeginnings): Beginning[] {
    const { address, ofPartnerAddress, ofReference } = this.names;
    const copies = ofPartner(partner, 't.partner_id');
    const found: Beginning[] = [];
    if (begins.address !== null) {
      const condition = beginsWith(`t.${address}`, begins.address);
      const index = partner === 'all' ? null : ofPartnerAddress;
      found.push({ condition, source: this.inIndex(index, [...copies, condition]) });
    }
    if (typeof begins.externalRef === 'string' && ofReference !== null) {
      const condition = textBeginsWith('t.external_ref', begins.externalRef);
      const index = partner === 'all' ? ofReference.all : ofReference.partner;
      found.push({ condition, source: this.inIndex(index, [...copies, condition]) });
    }
    return found;
  }

  /** The indexes in which the rows of the domains or the partner follow each other by their ids. */
  private walk(
    partner: number | 'all',
    scope: PartnerScope,
    domain: DomainName | undefined,
    [first]: Equality[],
  ): IdSource[] {
    if (domain !== undefined) return [this.inIndex(this.names.ofDomain, [ofDomain(domain)])];
    if (partner === 'all') return [this.inIndex('PRIMARY', [])];
    const copies = ofPartner(partner, 't.partner_id');
    if (first !== undefined) return [this.inIndex(first.index, [equalCondition(first), ...copies])];
    if (scope !== 'all' && scope.domainIds !== null) {
      return [NO_ID, ...scope.domainIds].map((id) =>
        this.inIndex(this.names.ofDomain, [condition('t.domain_id = ?', id)]),
      );
    }
    return [this.inIndex(this.names.ofPartner, copies)];
  }

  private inIndex(index: string | null, conditions: Condition[]): IdSource {
    const hint = index === null ? '' : this.database.dialect.byIndex(index);
    return { from: `${this.names.table} t${hint}`, id: 't.id', conditions };
  }
}

/** The conditions about the domain of a row: the named one, those of the scope. Null without any. */
function domainsOf(scope: PartnerScope, domain: DomainName | undefined): Condition[] | null {
  const named = domain === undefined ? [] : [ofDomain(domain)];
  if (scope === 'all' || scope.domainIds === null) return named.length === 0 ? null : named;
  const ids = [NO_ID, ...scope.domainIds];
  return [...named, condition(`t.domain_id IN (${placeholders(ids)})`, ...ids)];
}

function ofDomain(name: DomainName): Condition {
  return condition('t.domain_id = (SELECT id FROM domain WHERE name = ?)', name);
}
