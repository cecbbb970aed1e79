import type { DomainName } from '../../domains/domain-name.js';

/** What the provider does when it finds that a tenant's mail harms its reputation (SES: the reputation policy). */
export const TENANT_POLICIES = ['standard', 'strict', 'none'] as const;
export type TenantPolicy = (typeof TENANT_POLICIES)[number];

/** `SendingStatus` of SES. `REINSTATED`: the tenant sends although SES has a finding. */
export const SENDING_STATUSES = ['ENABLED', 'REINSTATED', 'DISABLED'] as const;
export type SendingStatus = (typeof SENDING_STATUSES)[number];

/** A tenant at the provider. */
export interface ProviderTenant {
  /** `ms-<the first 8 of the installation's id>-<id of the partner>`: the value of the header `X-SES-TENANT`. */
  name: string;
  /** The ARN in the provider's own words; those of its resources are made from it. */
  arn: string;
}

/**
 * `foreign`: a tenant of that name exists, and another installation or person made it. `full`: the account has no
 * more.
 */
export type TenantOutcome = ({ outcome: 'ours'; tenant: ProviderTenant } | { outcome: 'foreign' | 'full' }) & {
  /** The number of calls that were made. */
  calls: number;
};

/** The most calls of `RelayTenants.ensure`. */
export const MAX_ENSURE_CALLS = 4;

/** `ReputationEntity` of SES, of one tenant. */
export interface TenantReputation {
  /** What holds: whether the provider sends mail of the tenant. */
  aggregate: SendingStatus;
  /** What we, or somebody in the account, last set. */
  ownStatus: SendingStatus;
  /** Whether the provider has a finding about the tenant. */
  hasFinding: boolean;
  /** Why it does not send, in the provider's words; null when it says nothing. */
  cause: string | null;
}

export interface StatusPage {
  statuses: { arn: string; aggregate: SendingStatus }[];
  nextToken: string | null;
}

/**
 * The tenants at the relay provider, one for each partner. Every method throws AppError `relay_unavailable` when the
 * provider gives no definite response. A tenant without this installation's mark is never changed.
 */
export abstract class RelayTenants {
  abstract readonly policy: TenantPolicy;

  /**
   * Makes the tenant of a partner with the policy, a suppression list of its own and the configuration set of the
   * settings; one that exists gets what it lacks. At most `MAX_ENSURE_CALLS` calls.
   */
  abstract ensure(partnerId: number): Promise<TenantOutcome>;

  /**
   * Associates an identity with a tenant; one that is associated already stays so.
   *
   * @returns false when the provider knows the tenant or the identity no more
   */
  abstract join(tenant: ProviderTenant, identity: DomainName): Promise<boolean>;

  /** Ends the association. One that does not exist counts as ended. */
  abstract leave(tenant: ProviderTenant, identity: DomainName): Promise<void>;

  /** @returns null when the tenant does not exist. One without a reputation yet sends. */
  abstract reputation(arn: string): Promise<TenantReputation | null>;

  abstract setStatus(arn: string, status: SendingStatus): Promise<void>;

  /**
   * @param pageToken null for the first page. `nextToken` is null on the last page.
   * @returns whether the provider sends the mail of the tenants, and of other resources of the account, by ARN
   */
  abstract statuses(pageToken: string | null): Promise<StatusPage>;

  /** Deletes a tenant with this installation's mark. A missing one counts as deleted. */
  abstract delete(tenant: ProviderTenant): Promise<void>;

  /** Takes an address off the tenant's list of addresses to which it does not send. @param address in its spelling */
  abstract liftSuppression(tenant: ProviderTenant, address: string): Promise<void>;
}
