import { chunksOf } from '../driver/chunks.js';
import { type Parameter, placeholders, type Statement } from '../driver/database.js';
import { writeMtaDomains } from '../migrations/mta-domain.js';

/** The domains whose rows are computed again. */
export interface MtaDomainScope {
  /** Ids of domains. */
  domains: ReadonlySet<number>;
  /** Ids of domains that the transaction inserted: nobody else can lock them. */
  added: ReadonlySet<number>;
  /** Ids of domains that may no longer be open. */
  closed: ReadonlySet<number>;
  /** Ids of parents: their children. */
  parents: ReadonlySet<number>;
  /** Ids of partners: all their domains. */
  partners: ReadonlySet<number>;
}

/**
 * The statements that compute rows of `mta_domain` again. They must be the last of a unit of work.
 *
 * The row of a domain depends on rows of its parent and of its partner, which other transactions change. So each
 * transaction locks the domain first and computes then: with READ COMMITTED every statement reads what is committed
 * when it begins. Of two transactions that change sources of the same row, the second one therefore computes from the
 * changes of both. It need not lock the parent and the partner: whoever changes those computes the row after it too.
 * Only `domain` is locked, and in the order partner, parent, child, as in `DomainLocks`.
 */
export function mtaDomainStatements({ domains, added, closed, parents, partners }: MtaDomainScope): Statement[] {
  const related = [
    ...inChunks('parent_id', 'ix_domain_parent', [...parents]),
    ...inChunks('partner_id', 'ix_domain_partner', [...partners]),
  ];
  const byId = (ids: number[]) => inChunks('id', 'PRIMARY', ids);
  return [
    ...[...byId([...domains, ...closed]), ...related].map(lock),
    ...[...byId([...domains, ...added]), ...related].map(write),
    ...byId([...closed]).map(remove),
  ];
}

interface Scope {
  index: string;
  condition: string;
  parameters: Parameter[];
}

function inChunks(column: string, index: string, ids: readonly number[]): Scope[] {
  return chunksOf(ids.toSorted((left, right) => left - right)).map((chunk) => ({
    index,
    condition: `d.${column} IN (${placeholders(chunk)})`,
    parameters: chunk,
  }));
}

/** The index has the ids in ascending order, and no other domain is locked. */
function lock({ index, condition, parameters }: Scope): Statement {
  return { sql: `SELECT d.id FROM domain d FORCE INDEX (${index}) WHERE ${condition} FOR UPDATE`, parameters };
}

function write({ condition, parameters }: Scope): Statement {
  return { sql: writeMtaDomains(condition), parameters };
}

function remove({ condition, parameters }: Scope): Statement {
  return {
    sql: `DELETE m FROM mta_domain m JOIN domain d ON d.id = m.domain_id WHERE d.inbound <> 'open' AND ${condition}`,
    parameters,
  };
}
