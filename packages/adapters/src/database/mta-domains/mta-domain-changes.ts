import { Domain } from '@mailstead/core/domains/domain';
import { Partner } from '@mailstead/core/partners/partner';
import { Verification } from '@mailstead/core/relay/verification';
import type { Database, Transaction } from '../driver/database.js';
import { mtaDomainStatements } from './mta-domain-statements.js';

/** The entities from which the rows of `mta_domain` are computed. */
type Source = Domain | Verification | Partner;

/** What the rows take from an entity, as text. */
interface Facts {
  /** For the row of the domain itself, or for the rows of the partner's domains. */
  own: string;
  /** For the rows of the domain's children. */
  inherited: string;
}

/** What a transaction changed, so that the rows of `mta_domain` are computed again before its COMMIT. */
class MtaDomainChanges {
  readonly domains = new Set<number>();
  readonly added = new Set<number>();
  readonly closed = new Set<number>();
  readonly parents = new Set<number>();
  readonly partners = new Set<number>();
  /** What the rows take from an entity, as it was when this transaction locked it. */
  readonly locked = new WeakMap<Source, Facts>();
}

const changesOf = new WeakMap<Transaction, MtaDomainChanges>();

/**
 * Notes an entity that the unit of work has locked. If it is then saved without a change that the mail servers can see,
 * no row is computed again.
 *
 * @returns the entity
 */
export function lockedForMta<Entity extends Source | null>(database: Database, entity: Entity): Entity {
  if (entity !== null && database.dialect.isReadByMailServers && database.currentTransaction() !== undefined) {
    changes(database).locked.set(entity, factsOf(entity));
  }
  return entity;
}

/**
 * Notes an entity that the unit of work saves. Every write of a domain, a verification or a partner that the mail
 * servers can see must be noted, by this function or by `mtaChildrenChanged`; `mta-domain-writers.test.ts` lists the
 * writers.
 */
export function savedForMta(database: Database, entity: Source): void {
  if (!database.dialect.isReadByMailServers) return;
  const noted = changes(database);
  const [before, after] = [noted.locked.get(entity), factsOf(entity)];
  const isChanged = before?.own !== after.own;
  // The next save may restore what was locked.
  if (isChanged) noted.locked.delete(entity);
  if (entity instanceof Partner) {
    if (isChanged) noted.partners.add(entity.id);
    return;
  }
  const [id, isClosed] =
    entity instanceof Domain ? [entity.id, entity.inbound !== 'open'] : ([entity.domainId, false] as const);
  if (isChanged) (isClosed ? noted.closed : noted.domains).add(id);
  // Inherited facts are a part of the own ones.
  if (isChanged && before?.inherited !== after.inherited) noted.parents.add(id);
}

/** Notes a new domain. One that is not open has no row, and no new domain has children. */
export function addedForMta(database: Database, domain: Domain): void {
  if (database.dialect.isReadByMailServers && domain.inbound === 'open') changes(database).added.add(domain.id);
}

/** Notes a change of the children of a domain. */
export function mtaChildrenChanged(database: Database, parentId: number): void {
  if (database.dialect.isReadByMailServers) changes(database).parents.add(parentId);
}

/** Notes domains whose rows may be wrong. */
export function mtaDomainsChanged(database: Database, ids: readonly number[]): void {
  if (!database.dialect.isReadByMailServers) return;
  const { domains, closed } = changes(database);
  for (const id of ids) {
    domains.add(id);
    closed.add(id);
  }
}

function factsOf(entity: Source): Facts {
  if (entity instanceof Partner) return { own: String(entity.stage), inherited: '' };
  if (entity instanceof Verification) {
    const isVerified = String(entity.status === 'verified');
    return { own: isVerified, inherited: isVerified };
  }
  const { suspensionCauses, outboundStatus, inbound, retentionDays, transferMonthlyMb } = entity;
  const { parentId, partnerId, inheritedUntil } = entity;
  const settings = [inbound, retentionDays, transferMonthlyMb, parentId, partnerId, inheritedUntil];
  return {
    own: JSON.stringify([suspensionCauses, outboundStatus, ...settings]),
    inherited: JSON.stringify([suspensionCauses.includes('abuse'), outboundStatus]),
  };
}

/** @throws Error outside a unit of work: the row and what it is computed from must change together */
function changes(database: Database): MtaDomainChanges {
  const transaction = database.currentTransaction();
  if (transaction === undefined) throw new Error('What the mail servers read can only be changed in a unit of work');
  const known = changesOf.get(transaction);
  if (known !== undefined) return known;
  const noted = new MtaDomainChanges();
  changesOf.set(transaction, noted);
  // First, because they lock domains; the days of partners are locked last.
  transaction.beforeCommit.unshift(() => mtaDomainStatements(noted));
  return noted;
}
