import type { DomainName } from '../../domains/domain-name.js';
import {
  type ProviderTenant,
  RelayTenants,
  type SendingStatus,
  type StatusPage,
  type TenantOutcome,
  type TenantPolicy,
  type TenantReputation,
} from './relay-tenants.js';

/** Makes a call to the provider, and stores whether it succeeded. */
export type Observe = <T>(call: () => Promise<T>) => Promise<T>;

/** Passes calls on to the tenants of a relay provider, each as the observed provider makes its own. */
export class ObservedTenants extends RelayTenants {
  constructor(
    private readonly tenants: RelayTenants,
    private readonly observe: Observe,
  ) {
    super();
  }

  override get policy(): TenantPolicy {
    return this.tenants.policy;
  }

  override ensure(partnerId: number): Promise<TenantOutcome> {
    return this.observe(() => this.tenants.ensure(partnerId));
  }

  override join(tenant: ProviderTenant, identity: DomainName): Promise<boolean> {
    return this.observe(() => this.tenants.join(tenant, identity));
  }

  override leave(tenant: ProviderTenant, identity: DomainName): Promise<void> {
    return this.observe(() => this.tenants.leave(tenant, identity));
  }

  override reputation(arn: string): Promise<TenantReputation | null> {
    return this.observe(() => this.tenants.reputation(arn));
  }

  override setStatus(arn: string, status: SendingStatus): Promise<void> {
    return this.observe(() => this.tenants.setStatus(arn, status));
  }

  override statuses(pageToken: string | null): Promise<StatusPage> {
    return this.observe(() => this.tenants.statuses(pageToken));
  }

  override delete(tenant: ProviderTenant): Promise<void> {
    return this.observe(() => this.tenants.delete(tenant));
  }

  override liftSuppression(tenant: ProviderTenant, address: string): Promise<void> {
    return this.observe(() => this.tenants.liftSuppression(tenant, address));
  }
}
