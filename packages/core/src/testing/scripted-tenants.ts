import {
  type ProviderTenant,
  RelayTenants,
  type SendingStatus,
  type TenantOutcome,
  type TenantReputation,
} from '../relay/tenants/relay-tenants.js';

/** Tenants that send unless a test, or the service, says otherwise. */
export class ScriptedTenants extends RelayTenants {
  override readonly policy = 'standard';
  readonly statuses = new Map<string, SendingStatus>();

  override async ensure(partnerId: number): Promise<TenantOutcome> {
    return { outcome: 'ours', tenant: { name: `ms-test-${partnerId}`, arn: `arn:aws:ses:eu:1:tenant/${partnerId}` } };
  }

  override async join(): Promise<boolean> {
    return true;
  }

  override async leave(): Promise<void> {}

  override async reputation(arn: string): Promise<TenantReputation> {
    const status = this.statuses.get(arn) ?? 'ENABLED';
    return { aggregate: status, ownStatus: status, hasFinding: false, cause: null };
  }

  override async setStatus(arn: string, status: SendingStatus): Promise<void> {
    this.statuses.set(arn, status);
  }

  override async disabled(): Promise<{ arns: string[]; nextToken: null }> {
    const arns = [...this.statuses].flatMap(([arn, status]) => (status === 'DISABLED' ? [arn] : []));
    return { arns, nextToken: null };
  }

  override async delete({ arn }: ProviderTenant): Promise<void> {
    this.statuses.delete(arn);
  }

  override async liftSuppression(): Promise<void> {}
}
