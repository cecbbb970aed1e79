import type { DomainName } from '../domains/domain-name.js';
import { invalidField } from '../errors.js';
import type { ApiKeyRepository } from './api-key-repository.js';

/** The most domains that an error names. */
const MOST_NAMED = 20;

/**
 * Finds the domains to which a key is to be limited. The partner must be locked.
 *
 * @param names null: all domains of the partner
 * @throws AppError validation_failed; it is the same for an absent domain and for another partner's
 */
export async function idsOfKeyDomains(
  apiKeys: ApiKeyRepository,
  partnerId: number,
  names: readonly DomainName[] | null,
): Promise<number[] | null> {
  if (names === null) return null;
  const distinct = [...new Set(names)];
  const ids = await apiKeys.domainIds(partnerId, distinct);
  const unknown = distinct.filter((name) => !ids.has(name));
  if (unknown.length > 0) throw invalidField('domains', `must be domains of the partner, not ${listed(unknown)}`);
  return [...ids.values()].sort((left, right) => left - right);
}

function listed(names: readonly DomainName[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
