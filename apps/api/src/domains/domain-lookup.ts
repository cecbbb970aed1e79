import type { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { DomainRepository, DomainWithParent } from '@mailstead/core/domains/domain-repository';
import { AppError } from '@mailstead/core/errors';
import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import { domainNameField, domainNameParam } from '../http/parse.js';

/** Finds the domain that a request names, among those that the caller may see. */
export class DomainLookup {
  constructor(private readonly domains: DomainRepository) {}

  /** The domain of a path. @throws AppError domain_not_found */
  async find(actor: Actor, name: string | undefined): Promise<Domain> {
    return found(await this.domains.find(scopeOf(actor), domainNameParam(name)));
  }

  /** The domain of a path, with its verification and its parent. @throws AppError domain_not_found */
  async findWithParent(actor: Actor, name: string | undefined): Promise<DomainWithParent> {
    return found(await this.domains.findWithParent(scopeOf(actor), domainNameParam(name)));
  }

  /** The name by which a list is filtered; undefined when none is given. @throws AppError validation_failed, domain_not_found */
  async filter(actor: Actor, name: string | undefined): Promise<DomainName | undefined> {
    if (name === undefined) return undefined;
    return found(await this.domains.find(scopeOf(actor), domainNameField('domain', name))).name;
  }
}

function found<T>(domain: T | null): T {
  if (domain === null) throw new AppError('domain_not_found');
  return domain;
}
