import { type DomainRecord, DomainRecords } from '@mailstead/core/domain-states/domain-records';
import type { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { DomainRepository, type DomainWithParent } from '@mailstead/core/domains/domain-repository';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import { domainNameField, domainNameParam } from '../http/parse.js';

/** Finds the domain that a request names. Domains that the caller may not see count as absent. */
@needs(DomainRepository, DomainRecords)
export class DomainLookup {
  constructor(
    private readonly domains: DomainRepository,
    private readonly records: DomainRecords,
  ) {}

  /** Finds the domain in a path. @throws AppError domain_not_found */
  async find(actor: Actor, name: string): Promise<Domain> {
    return found(await this.domains.find(scopeOf(actor), domainNameParam(name)));
  }

  /** Finds the domain in a path, with its verification and its parent. @throws AppError domain_not_found */
  async findWithParent(actor: Actor, name: string): Promise<DomainWithParent> {
    return found(await this.domains.findWithParent(scopeOf(actor), domainNameParam(name)));
  }

  /** Finds the domain in a path, with what decides its state. @throws AppError domain_not_found */
  async findRecord(actor: Actor, name: string, now: Date): Promise<DomainRecord> {
    return found(await this.records.find(scopeOf(actor), domainNameParam(name), now));
  }

  /** The names of the domains that a caller is limited to; null: it is not limited. */
  async limitOf(actor: Actor): Promise<ReadonlySet<DomainName> | null> {
    if (actor.kind !== 'client' || actor.domainIds === null) return null;
    const limit = actor.domainIds.length;
    const domains = limit === 0 ? [] : await this.domains.page(scopeOf(actor), {}, { after: 0, limit });
    return new Set(domains.map(({ name }) => name));
  }

  /**
   * Reads the domain filter of a list.
   *
   * @returns undefined when the filter is not given.
   * @throws AppError validation_failed, domain_not_found
   */
  async filter(actor: Actor, name: string | undefined): Promise<DomainName | undefined> {
    if (name === undefined) return undefined;
    return found(await this.domains.find(scopeOf(actor), domainNameField('domain', name))).name;
  }
}

function found<T>(domain: T | null): T {
  if (domain === null) throw new AppError('domain_not_found');
  return domain;
}
