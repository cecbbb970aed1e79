import { DAY_MS } from '../../clock.js';
import type { DomainName } from '../../domains/domain-name.js';
import type { ProviderTenant, SendingStatus, TenantPolicy } from './relay-tenants.js';

/** How long an identity stays in a tenant that its domain left, because mail may be queued that names this tenant. */
export const LEAVES_AFTER_MS = 30 * DAY_MS;

export const RELAY_STATUSES = ['active', 'paused'] as const;
export type RelayStatus = (typeof RELAY_STATUSES)[number];

/**
 * Why a partner has no working tenant. `leaving`: it is being deleted, because the partner had no verified domain for
 * 90 days.
 */
type TenantProblem = 'foreign' | 'full' | 'unavailable' | 'leaving';

/** What is known about the tenant of a partner at the relay provider. */
export interface Tenant {
  partnerId: number;
  /** Empty until the provider has made it. */
  name: string;
  arn: string | null;
  /** The configuration set that is associated with it; null for none. */
  configurationSet: string | null;
  /** The policy that it was given; null for none. */
  policy: TenantPolicy | null;
  /** What holds at the provider. While it is paused, mail of the partner waits. */
  status: RelayStatus;
  /** Since when `status` holds; null until it was read. */
  statusSince: Date | null;
  /** What the provider last said that we set. */
  ownStatus: SendingStatus | null;
  /** What master last asked for; null when it never did. */
  wanted: RelayStatus | null;
  /** Whether that still has to be done at the provider. */
  isAsked: boolean;
  /** Why it is paused, in the provider's words; null when it is not, or nothing was said. */
  cause: string | null;
  problem: TenantProblem | null;
  /** When a tenant with a problem is tried again. */
  retryAt: Date | null;
  /** When the provider was last asked for `status`. */
  readAt: Date | null;
  /** Since when the partner has no verified domain; null while it has one. */
  emptySince: Date | null;
}

/** An association that ends, because its domain moved to another partner or was deleted. */
export interface Leaving {
  tenant: ProviderTenant;
  partnerId: number;
  identity: DomainName;
}

export type MadeTenantRow = Pick<Tenant, 'partnerId' | 'status' | 'ownStatus' | 'readAt'> & { arn: string };

/** The numbers of tenants with each problem. */
export type TenantProblems = Record<Exclude<TenantProblem, 'leaving'>, number>;

/** The tenants of the partners, and which identities are associated with them. */
export abstract class Tenants {
  /** @returns null when the partner has none, and none was begun */
  abstract find(partnerId: number): Promise<Tenant | null>;
  /** Reads and locks it until the end of the unit of work. The partner must be locked first, when both are. */
  abstract lock(partnerId: number): Promise<Tenant | null>;
  /** Inserts or replaces the row. */
  abstract save(tenant: Tenant): Promise<void>;
  /** @returns the partners of these tenants; ARNs of others are left out */
  abstract partnersOf(arns: readonly string[]): Promise<number[]>;

  /** Stores that the identity is about to be associated, before the provider is asked. */
  abstract beginJoin(partnerId: number, identity: DomainName): Promise<void>;
  /**
   * Stores that the provider has confirmed the association, when the domain is still that of the call: of this
   * partner, verified, with this start of its verification, and the tenant is the same. Mail then names the tenant.
   */
  abstract confirmJoin(joined: {
    domainId: number;
    startedAt: Date | null;
    partnerId: number;
    arn: string;
  }): Promise<boolean>;
  /** Plans the end of an association that was not confirmed. */
  abstract endJoin(partnerId: number, identity: DomainName, leaveAt: Date): Promise<void>;
  /** Stores that the identity of a domain is not in the tenant of the partner. */
  abstract clearJoin(domainId: number, partnerId: number): Promise<void>;
  /**
   * Stores that the provider does not know the tenant any more: it is made again, and no mail names it until then. A
   * pause that master asked for has to be done again.
   */
  abstract forget(partnerId: number): Promise<void>;
  /** Makes due, for `AlignIdentities`, the verified domains of a partner that are not associated. */
  abstract planJoins(partnerId: number): Promise<void>;

  /**
   * Takes a domain that moves out of the tenant of its former partner, in the unit of work of the move: from now on no
   * mail names a tenant until it has joined the next one. @returns whether it is due to join
   */
  abstract noteMove(domain: { id: number; name: DomainName }, formerPartnerId: number, leaveAt: Date): Promise<boolean>;
  /** Plans the end of the associations of a deleted domain. */
  abstract noteDeletion(identity: DomainName, leaveAt: Date): Promise<void>;
  /** Associations that are due to end, at most `limit`, without those of domains that came back. */
  abstract dueToLeave(now: Date, limit: number): Promise<Leaving[]>;
  /** Forgets an association that has ended, unless the domain came back meanwhile. */
  abstract noteLeft(leaving: Leaving, now: Date): Promise<void>;

  /** Notes since when partners have no verified domain, and that others have one again. */
  abstract noteEmpty(now: Date): Promise<void>;
  /**
   * Takes tenants whose partner has had no verified domain since `emptyBefore` out of use, and returns them with those
   * whose deletion was interrupted, at most `limit`.
   */
  abstract takeEmpty(emptyBefore: Date, limit: number): Promise<{ partnerId: number; tenant: ProviderTenant }[]>;
  /** Removes the row of a deleted tenant. */
  abstract remove(partnerId: number): Promise<void>;

  /**
   * Partners whose tenant has a problem and is due to be tried again, or has not what the settings say now, at most
   * `limit`.
   */
  abstract dueToMake(wanted: Pick<Tenant, 'configurationSet' | 'policy'>, now: Date, limit: number): Promise<number[]>;
  /** The tenants that exist as far as is known, by the id of their partner, after `afterPartnerId`. */
  abstract made(afterPartnerId: number, limit: number): Promise<MadeTenantRow[]>;
  /** The numbers of tenants with each problem. */
  abstract problems(): Promise<TenantProblems>;
  /** Ends every pause, because the service uses no tenants any more. @returns the number of ended pauses */
  abstract endPauses(): Promise<number>;
}
