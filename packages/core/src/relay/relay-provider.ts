import type { DomainName } from '../domains/domain-name.js';
import type { DnsRecord } from './dns-records.js';
import type { RelayTenants } from './tenants/relay-tenants.js';

export type IdentityStatus = 'pending' | 'verified' | 'failed';

/** `SUCCESS` is `DkimAttributes.Status` of SES. */
export const DKIM_FOUND = 'success';

/** The provider's state of one domain identity. */
export interface RelayIdentity {
  status: IdentityStatus;
  /**
   * The provider's name of the state, lower case, at most 32 of a-z 0-9 _ -; the API returns it as `dkim_status`.
   * `DKIM_FOUND` of every provider while it finds the DKIM records.
   */
  providerStatus: string;
  /** Why the identity is not verified, as a sentence; null when it is verified or the provider gives no reason. */
  reason: string | null;
  /**
   * The DNS records that the holder of the domain publishes for this provider; empty until the provider has created
   * them.
   */
  records: DnsRecord[];
  /** The configuration set that the provider uses for mail of the identity; null when it has none. */
  configurationSet: string | null;
  /** Set while the provider misses the DNS records of an identity that it still verifies. */
  atRisk: AtRisk | null;
}

interface AtRisk {
  /** When the provider last found the records; null when it does not say. */
  since: Date | null;
}

/** `foreign`: an identity of that name exists at the provider, and another installation or person created it. */
export type EnsureOutcome = { outcome: 'ours'; identity: RelayIdentity } | { outcome: 'foreign' };

/**
 * Manages identities at the relay provider. Implementations respect the provider's rate limit across all processes.
 *
 * Every method throws AppError `relay_unavailable` when the provider gives no definite response: time-outs, throttling,
 * 5xx, unreadable responses. Such an error says nothing about the domain.
 */
export abstract class RelayProvider {
  /** Whether `listIdentities` returns all identities; false for a provider that has no list. */
  abstract readonly lists: boolean;
  /**
   * When a caller reads the status of a domain, the provider is called only when its last call for this domain is at
   * least this number of milliseconds ago.
   */
  abstract readonly minCheckIntervalMs: number;
  /**
   * The configuration set that every identity must have, because the provider reports bounces only of mail with a set;
   * null for a provider without sets.
   */
  abstract readonly configurationSet: string | null;
  /** The tenants of the partners; null for a provider without tenants, and while `SES_TENANTS` is off. */
  abstract readonly tenants: RelayTenants | null;
  /**
   * The time of one call of the alignment of identities and tenants, so that it uses at most a tenth of the provider's
   * rate, milliseconds.
   */
  abstract readonly alignIntervalMs: number;

  /**
   * Creates the identity. An existing identity that is marked with this installation and this domain's id is used; with
   * the id of another domain it is deleted and created again. An identity without the mark of this installation is not
   * changed: the outcome is `foreign`.
   *
   * @param restart creates our identity again when it is in a failed state.
   */
  abstract ensureIdentity(domain: RelayDomain, restart: boolean): Promise<EnsureOutcome>;

  /** @returns null when the provider has no such identity. */
  abstract readIdentity(domain: RelayDomain): Promise<RelayIdentity | null>;

  /**
   * Reads the identity, and gives it `configurationSet` when it has another one: at most two calls. An identity that is
   * not marked with this domain's id is not changed.
   *
   * @returns the identity afterwards. Its set is not `configurationSet` when the provider does not know that set.
   */
  abstract alignIdentity(domain: RelayDomain): Promise<AlignedIdentity>;

  /** Reads the account, and what its configuration set publishes. */
  abstract readAccount(): Promise<RelayReport>;

  /**
   * @returns one page of identities, up to 1,000, in the order of the provider; empty when `lists` is false.
   * @param pageToken null for the first page. `nextToken` is null on the last page.
   */
  abstract listIdentities(pageToken: string | null): Promise<{ listed: ListedIdentity[]; nextToken: string | null }>;

  /**
   * Deletes the identity when it is marked with this domain's id. A missing identity counts as deleted; an identity
   * with another mark is not changed.
   */
  abstract deleteIdentity(domain: RelayDomain): Promise<void>;

  /**
   * Takes an address off the list of addresses to which the account does not send. One that is not on it counts as
   * taken off, and so does every address of a provider without such a list.
   *
   * @param address in the provider's spelling, whose letters may be capital
   */
  abstract liftSuppression(address: string): Promise<void>;
}

export interface AlignedIdentity {
  /** Null when the provider has no such identity. */
  identity: RelayIdentity | null;
  /** The number of calls that were made. */
  calls: number;
}

/** The account at the provider. Null where the provider has no such thing, or does not know the configuration set. */
export interface RelayReport {
  account: RelayAccount | null;
  configurationSet: PublishedEvents | null;
}

export interface RelayAccount {
  /** False in SES's sandbox, where only verified recipients get mail. */
  productionAccess: boolean;
  sendingEnabled: boolean;
  /** `EnforcementStatus` of SES: HEALTHY, PROBATION or SHUTDOWN. */
  enforcement: string;
  /** Messages in 24 hours; -1 for no limit. */
  quota24h: number;
  sent24h: number;
  maxPerSecond: number;
}

/** What the configuration set publishes to SNS topics. */
export interface PublishedEvents {
  name: string;
  /** Whether it has suppression options of its own, which override the list of every tenant. Absent: not read. */
  ownSuppression?: boolean;
  /** One for each enabled destination that is a topic. */
  destinations: { topic: string; events: string[] }[];
}

export interface RelayDomain {
  id: number;
  name: DomainName;
  /**
   * When this verification started; null when it did not start. The sandbox verifies a domain a fixed time after this.
   */
  startedAt: Date | null;
}

export interface ListedIdentity {
  name: string;
  status: IdentityStatus;
  /** Whether the provider misses the DNS records of the verified identity. */
  atRisk: boolean;
}
