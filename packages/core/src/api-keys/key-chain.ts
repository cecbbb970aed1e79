import { AppError } from '../errors.js';
import type { ClientScope } from '../operators/caller.js';
import type { ApiKey, KeyLimits } from './api-key.js';

/** The most keys of a chain, the key that an operator created included. */
export const MAX_CHAIN = 3;

/**
 * A key with its makers, the nearest first. The last one was created by an operator. A key may do what all keys of its
 * chain may do, so what an operator takes from a key is taken from every key below it.
 */
export class KeyChain {
  readonly key: ApiKey;

  constructor(readonly keys: readonly [ApiKey, ...ApiKey[]]) {
    this.key = keys[0];
  }

  /** The nearest first. */
  get makers(): ApiKey[] {
    return this.keys.slice(1);
  }

  /** The key that an operator created. Only it has limits. */
  get first(): ApiKey {
    return this.keys.at(-1) ?? this.key;
  }

  get limits(): KeyLimits {
    const { domainsAllowed, mailboxesPerDomain, aliasesPerMailbox } = this.first;
    return { domainsAllowed, mailboxesPerDomain, aliasesPerMailbox };
  }

  get scope(): ClientScope {
    return this.keys.some(({ scope }) => scope === 'read') ? 'read' : 'manage';
  }

  /** The domains that every key of the chain may see; null: all domains of the partner. */
  get domainIds(): readonly number[] | null {
    return this.keys
      .map(({ domainIds }) => domainIds)
      .reduce((common, ids) => (common === null || ids === null ? (common ?? ids) : both(common, ids)));
  }

  /** @throws AppError api_key_inactive, api_key_expired, invalid_token (a maker was deleted) */
  refuseUnusable(now: Date): void {
    for (const key of this.keys) key.refuseUnusable(now);
    if (this.first.makerId !== null) throw new AppError('invalid_token');
  }
}

function both(left: readonly number[], right: readonly number[]): number[] {
  return left.filter((id) => right.includes(id));
}
