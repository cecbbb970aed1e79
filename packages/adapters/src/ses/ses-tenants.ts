import type {
  CreateTenantCommandOutput,
  GetReputationEntityCommandOutput,
  GetTenantCommandOutput,
  ReputationEntity,
  Tag,
} from '@aws-sdk/client-sesv2';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import {
  type ProviderTenant,
  RelayTenants,
  SENDING_STATUSES,
  type SendingStatus,
  type StatusPage,
  type TenantOutcome,
  type TenantPolicy,
  type TenantReputation,
} from '@mailstead/core/relay/tenants/relay-tenants';
import { INSTALLATION_TAG, isOurs, unreadable } from './own-tags.js';
import type { SesClient } from './ses-client.js';

/** The largest page of a list of reputation entities. */
const PAGE_SIZE = 1_000;
const NAME_LETTERS = 8;
const NO_REPUTATION: TenantReputation = { aggregate: 'ENABLED', ownStatus: 'ENABLED', hasFinding: false, cause: null };

export interface SesTenantsOptions {
  installationId: () => Promise<string>;
  configurationSet: string;
  policy: TenantPolicy;
}

/**
 * Manages tenants in Amazon SES v2. The ARNs of a policy, of the configuration set and of identities are made from the
 * tenant's own, `arn:<partition>:ses:<region>:<account>:tenant/<name>/<id>`.
 */
export class SesTenants extends RelayTenants {
  constructor(
    private readonly ses: SesClient,
    private readonly options: SesTenantsOptions,
  ) {
    super();
  }

  override get policy(): TenantPolicy {
    return this.options.policy;
  }

  override async ensure(partnerId: number): Promise<TenantOutcome> {
    const installation = await this.options.installationId();
    const name = `ms-${installation.replaceAll(/[^A-Za-z0-9_-]/g, '').slice(0, NAME_LETTERS)}-${partnerId}`;
    const made = await this.create(name, installation);
    if (made === 'full') return { outcome: 'full', calls: 1 };
    const found = made ?? (await this.find(name));
    const calls = made === null ? 2 : 1;
    if (found === null) throw unreadable('a tenant that is created and deleted at the same time');
    if (!(await this.isOwn(found.tags))) return { outcome: 'foreign', calls };
    const tenant = { name, arn: found.arn };
    await this.putPolicy(tenant.arn);
    if (
      !(await this.associate(tenant, resourceArn(tenant.arn, `configuration-set/${this.options.configurationSet}`)))
    ) {
      throw unreadable('a tenant or a configuration set that it does not know');
    }
    return { outcome: 'ours', tenant, calls: calls + 2 };
  }

  override join(tenant: ProviderTenant, identity: DomainName): Promise<boolean> {
    return this.associate(tenant, resourceArn(tenant.arn, `identity/${identity}`));
  }

  override async leave({ name, arn }: ProviderTenant, identity: DomainName): Promise<void> {
    const input = { TenantName: name, ResourceArn: resourceArn(arn, `identity/${identity}`) };
    await this.ses.call<unknown>(
      ({ sdk, client }, abortSignal) =>
        client.send(new sdk.DeleteTenantResourceAssociationCommand(input), { abortSignal }),
      { NotFoundException: null },
    );
  }

  override async reputation(arn: string): Promise<TenantReputation | null> {
    const input = { ReputationEntityReference: arn, ReputationEntityType: 'RESOURCE' as const };
    const found = await this.ses.call<GetReputationEntityCommandOutput | null>(
      ({ sdk, client }, abortSignal) => client.send(new sdk.GetReputationEntityCommand(input), { abortSignal }),
      { NotFoundException: null },
    );
    if (found !== null) return readReputation(found.ReputationEntity);
    // SES may have no reputation of a tenant that never sent.
    const [, name = ''] = arn.split('/');
    return (await this.find(name))?.arn === arn ? NO_REPUTATION : null;
  }

  override async setStatus(arn: string, status: SendingStatus): Promise<void> {
    const input = {
      ReputationEntityReference: arn,
      ReputationEntityType: 'RESOURCE' as const,
      SendingStatus: status,
    };
    await this.ses.call(({ sdk, client }, abortSignal) =>
      client.send(new sdk.UpdateReputationEntityCustomerManagedStatusCommand(input), { abortSignal }),
    );
  }

  override async statuses(pageToken: string | null): Promise<StatusPage> {
    const input = { PageSize: PAGE_SIZE, ...(pageToken === null ? {} : { NextToken: pageToken }) };
    const page = await this.ses.call(
      ({ sdk, client }, abortSignal) => client.send(new sdk.ListReputationEntitiesCommand(input), { abortSignal }),
      {},
      'background',
    );
    if (page.ReputationEntities === undefined) throw unreadable('a list without reputation entities');
    const statuses = page.ReputationEntities.flatMap((entity) => {
      const { ReputationEntityReference: arn } = entity;
      const aggregate = SENDING_STATUSES.find((each) => each === entity.SendingStatusAggregate);
      return arn === undefined || aggregate === undefined ? [] : [{ arn, aggregate }];
    });
    return { statuses, nextToken: page.NextToken ?? null };
  }

  /**
   * SES has no conditional deletion: the tenant may be replaced between the call that reads its tags and the deletion.
   */
  override async delete({ name }: ProviderTenant): Promise<void> {
    const found = await this.find(name);
    if (found === null || !(await this.isOwn(found.tags))) return;
    await this.ses.call<unknown>(
      ({ sdk, client }, abortSignal) => client.send(new sdk.DeleteTenantCommand({ TenantName: name }), { abortSignal }),
      { NotFoundException: null },
    );
  }

  override async liftSuppression({ name }: ProviderTenant, address: string): Promise<void> {
    const input = { EmailAddress: address, TenantName: name };
    await this.ses.call<unknown>(
      ({ sdk, client }, abortSignal) => client.send(new sdk.DeleteSuppressedDestinationCommand(input), { abortSignal }),
      { NotFoundException: null },
    );
  }

  /** @returns null when a tenant of the name exists */
  private async create(name: string, installation: string): Promise<Found | 'full' | null> {
    const input = {
      TenantName: name,
      Tags: [{ Key: INSTALLATION_TAG, Value: installation }],
      SuppressionAttributes: {
        SuppressedReasons: ['BOUNCE' as const, 'COMPLAINT' as const],
        SuppressionScope: 'TENANT' as const,
      },
    };
    const made = await this.ses.call<CreateTenantCommandOutput | 'full' | null>(
      ({ sdk, client }, abortSignal) => client.send(new sdk.CreateTenantCommand(input), { abortSignal }),
      { AlreadyExistsException: null, LimitExceededException: 'full' },
    );
    return made === null || made === 'full' ? made : readTenant({ ...made, Tags: input.Tags });
  }

  private async find(name: string): Promise<Found | null> {
    const found = await this.ses.call<GetTenantCommandOutput | null>(
      ({ sdk, client }, abortSignal) => client.send(new sdk.GetTenantCommand({ TenantName: name }), { abortSignal }),
      { NotFoundException: null },
    );
    return found === null ? null : readTenant(found.Tenant ?? {});
  }

  private async putPolicy(arn: string): Promise<void> {
    const [, partition, , region] = arn.split(':');
    const input = {
      ReputationEntityReference: arn,
      ReputationEntityType: 'RESOURCE' as const,
      ReputationEntityPolicy: `arn:${partition}:ses:${region}:aws:reputation-policy/${this.policy}`,
    };
    await this.ses.call(({ sdk, client }, abortSignal) =>
      client.send(new sdk.UpdateReputationEntityPolicyCommand(input), { abortSignal }),
    );
  }

  private associate({ name }: ProviderTenant, resource: string): Promise<boolean> {
    const input = { TenantName: name, ResourceArn: resource };
    return this.ses.call<boolean>(
      async ({ sdk, client }, abortSignal) => {
        await client.send(new sdk.CreateTenantResourceAssociationCommand(input), { abortSignal });
        return true;
      },
      { AlreadyExistsException: true, NotFoundException: false },
    );
  }

  private async isOwn(tags: Tag[]): Promise<boolean> {
    return isOurs(tags, await this.options.installationId());
  }
}

interface Found {
  arn: string;
  tags: Tag[];
}

function readTenant({
  TenantArn: arn,
  Tags: tags = [],
}: {
  TenantArn?: string | undefined;
  Tags?: Tag[] | undefined;
}): Found {
  if (arn === undefined || arn.split(':').length < 6) throw unreadable('a tenant without an ARN');
  return { arn, tags };
}

/** @returns the ARN of another resource of the tenant's account and region */
function resourceArn(tenantArn: string, resource: string): string {
  return [...tenantArn.split(':').slice(0, 5), resource].join(':');
}

function readReputation(entity: ReputationEntity | undefined): TenantReputation {
  const own = entity?.CustomerManagedStatus;
  const managed = entity?.AwsSesManagedStatus;
  const aggregate = readStatus(entity?.SendingStatusAggregate);
  const stopping = managed?.Status === 'DISABLED' ? managed : own;
  return {
    aggregate,
    // SES has none before somebody has set one.
    ownStatus: own?.Status === undefined ? 'ENABLED' : readStatus(own.Status),
    hasFinding: entity?.ReputationImpact !== undefined || managed?.Status === 'DISABLED',
    cause: aggregate === 'DISABLED' ? (stopping?.Cause ?? null) : null,
  };
}

function readStatus(status: string | undefined): SendingStatus {
  const known = SENDING_STATUSES.find((each) => each === status);
  if (known === undefined) throw unreadable('a tenant without a sending status');
  return known;
}
