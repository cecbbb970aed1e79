import type { DomainName } from '../domains/domain-name.js';
import type { DnsRecord } from './dns-records.js';

export type IdentityStatus = 'pending' | 'verified' | 'failed';

/** The provider's state of one domain identity. */
export interface RelayIdentity {
  status: IdentityStatus;
  /** The provider's own name of the state, lower case, at most 32 of a-z 0-9 _ -; the API shows it as `dkim_status`. */
  providerStatus: string;
  /** Why it is not verified, in a sentence for people; null when it is verified, or when the provider gives no reason. */
  reason: string | null;
  /** The DNS records that the domain's holder publishes for this provider; empty until the provider has made them. */
  records: DnsRecord[];
}

/** `foreign`: an identity of that name exists at the provider, and it was not made by this installation. */
export type EnsureOutcome = { outcome: 'ours'; identity: RelayIdentity } | { outcome: 'foreign' };

/**
 * The outbound relay's control plane. Implementations keep the provider's rate limit across all processes.
 *
 * Every method throws AppError `relay_unavailable` for anything but a definite answer of the provider: time-outs,
 * throttling, 5xx, unreadable answers. Such an error says nothing about the domain.
 */
export abstract class RelayProvider {
  /** Whether `listIdentities` lists all identities; false for a provider that keeps none. */
  abstract readonly lists: boolean;
  /** How long after one reader's request no other reader has the provider asked about the same domain, milliseconds. */
  abstract readonly minAskIntervalMs: number;

  /**
   * Creates the identity, or adopts it when it is marked with this very domain's id. One that is marked with this
   * installation and another domain's id is deleted and made anew; one that is not ours is left alone: `foreign`.
   *
   * @param restart makes an own identity anew that exists in a failed state.
   */
  abstract ensureIdentity(domain: RelayDomain, restart: boolean): Promise<EnsureOutcome>;

  /** Null when the provider has no such identity. */
  abstract getIdentity(domain: RelayDomain): Promise<RelayIdentity | null>;

  /**
   * One page of identities, up to 1,000, in the provider's own order. `pageToken` null starts; `nextToken` null ends.
   * Empty where `lists` is false.
   */
  abstract listIdentities(pageToken: string | null): Promise<{ listed: ListedIdentity[]; nextToken: string | null }>;

  /** Deletes the identity when it is marked with this very domain's id; a missing one is success, a foreign one is left alone. */
  abstract deleteIdentity(domain: RelayDomain): Promise<void>;
}

export interface RelayDomain {
  id: number;
  name: DomainName;
  /** When this verification began; null when it never did. The sandbox derives its due time from it. */
  startedAt: Date | null;
}

export interface ListedIdentity {
  name: string;
  status: IdentityStatus;
}
