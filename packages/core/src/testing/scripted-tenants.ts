import {
  type ProviderTenant,
  RelayTenants,
  type SendingStatus,
  type StatusPage,
  type TenantOutcome,
  type TenantReputation,
} from '../relay/tenants/relay-tenants.js';

/** Tenants that send unless a test, or the service, says otherwise. */
export class ScriptedTenants extends RelayTenants {
  override readonly policy = 'standard';
  readonly known = new Map<string, SendingStatus>();

  override async ensure(partnerId: number): Promise<TenantOutcome> {
    const tenant = { name: `ms-test-${partnerId}`, arn: `arn:aws:ses:eu:1:tenant/${partnerId}` };
    return { outcome: 'ours', tenant, calls: 3 };
  }

  override async join(): Promise<boolean> {
    return true;
  }

  override async leave(): Promise<void> {}

  override async reputation(arn: string): Promise<TenantReputation> {
    const status = this.known.get(arn) ?? 'ENABLED';
    return { aggregate: status, ownStatus: status, hasFinding: false, cause: null };
  }

  override async setStatus(arn: string, status: SendingStatus): Promise<void> {
    this.known.set(arn, status);
  }

  override async statuses(): Promise<StatusPage> {
    const statuses = Array.from(this.known, ([arn, aggregate]) => ({ arn, aggregate }));
    return { statuses, nextToken: null };
  }

  override async delete({ arn }: ProviderTenant): Promise<void> {
    this.known.delete(arn);
  }

  override async liftSuppression(): Promise<void> {}
}
