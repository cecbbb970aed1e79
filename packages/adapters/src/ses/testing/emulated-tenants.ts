const ACCOUNT = 'arn:aws:ses:eu-central-1:123456789012';
const MAX_TENANTS = 10_000;

export interface EmulatedTenant {
  name: string;
  arn: string;
  tags: Record<string, string>;
  /** `SuppressionScope` of its creation. */
  scope: string;
  policy: string | null;
  /** The ARNs of identities and sets that are associated with it. */
  resources: Set<string>;
  ownStatus: string | null;
  /** What SES itself decided. */
  managed: { status: string; cause: string | null };
  /** `ReputationImpact`: null without a finding. */
  impact: string | null;
  suppressed: Set<string>;
  /** SES has no reputation of it yet. */
  isNew: boolean;
}

type Body = Record<string, unknown>;
/** A response: a body, or the name of an error. */
type Answer = { body: object } | { error: string };

const NOT_FOUND: Answer = { error: 'NotFoundException' };

/** The tenants of the emulated account, with the rules of SES: what is not associated is refused. */
export class EmulatedTenants {
  readonly tenants = new Map<string, EmulatedTenant>();
  /** The most tenants of the account. */
  limit = MAX_TENANTS;

  constructor(
    private readonly hasIdentity: (name: string) => boolean,
    private readonly hasSet: (name: string) => boolean,
  ) {}

  reset(): void {
    this.tenants.clear();
    this.limit = MAX_TENANTS;
  }

  put(name: string, tags: Record<string, string> = {}): EmulatedTenant {
    const tenant: EmulatedTenant = {
      name,
      arn: `${ACCOUNT}:tenant/${name}/tn-${this.tenants.size + 1}`,
      tags,
      scope: 'ACCOUNT',
      policy: null,
      resources: new Set(),
      ownStatus: null,
      managed: { status: 'ENABLED', cause: null },
      impact: null,
      suppressed: new Set(),
      isNew: false,
    };
    this.tenants.set(name, tenant);
    return tenant;
  }

  /** SES stops the mail of a tenant because of a finding. */
  disable(name: string, cause: string): void {
    const tenant = this.tenants.get(name);
    if (tenant === undefined) throw new Error(`The emulator has no tenant ${name}`);
    Object.assign(tenant, { managed: { status: 'DISABLED', cause }, impact: 'HIGH' });
  }

  /** @throws Error when SES refuses a message of the identity with this set and `X-SES-TENANT` */
  check(name: string, identity: string, set: string | null): void {
    const tenant = this.tenants.get(name);
    const refuse = (why: string) => {
      throw new Error(`554 Message rejected: ${why}`);
    };
    if (tenant === undefined) return refuse(`Tenant ${name} does not exist`);
    if (aggregateOf(tenant) === 'DISABLED') refuse(`Sending is disabled for tenant ${name}`);
    const missing = [`identity/${identity}`, ...(set === null ? [] : [`configuration-set/${set}`])].find(
      (resource) => !tenant.resources.has(`${ACCOUNT}:${resource}`),
    );
    if (missing !== undefined) refuse(`${missing} is not associated with tenant ${name}`);
  }

  /** An identity that is deleted is in no tenant any more. */
  forgetIdentity(identity: string): void {
    for (const { resources } of this.tenants.values()) resources.delete(`${ACCOUNT}:identity/${identity}`);
  }

  /** @returns null for a request that is not about tenants */
  answer(line: string, body: Body, query: URLSearchParams): Answer | null {
    switch (line) {
      case 'POST /v2/email/tenants':
        return this.create(body);
      case 'POST /v2/email/tenants/get':
        return this.with(body, (tenant) => ({ body: { Tenant: describe(tenant) } }));
      case 'POST /v2/email/tenants/delete':
        return this.with(body, ({ name }) => ({ body: { deleted: this.tenants.delete(name) } }));
      case 'POST /v2/email/tenants/resources':
        return this.with(body, (tenant) => this.associate(tenant, String(body.ResourceArn)));
      case 'POST /v2/email/tenants/resources/delete':
        return this.with(body, ({ resources }) =>
          resources.delete(String(body.ResourceArn)) ? { body: {} } : NOT_FOUND,
        );
      case 'POST /v2/email/reputation/entities':
        return this.list(body);
    }
    const lifted = query.get('TenantName');
    const [, address] = /^DELETE \/v2\/email\/suppression\/addresses\/([^/]+)$/.exec(line) ?? [];
    if (lifted !== null && address !== undefined) {
      return this.tenants.get(lifted)?.suppressed.delete(decodeURIComponent(address)) ? { body: {} } : NOT_FOUND;
    }
    const path =
      /^(GET|PUT) \/v2\/email\/reputation\/entities\/RESOURCE\/([^/]+)(\/policy|\/customer-managed-status)?$/;
    const [, , encoded, part = ''] = path.exec(line) ?? [];
    return encoded === undefined ? null : this.ofEntity(decodeURIComponent(encoded), part, body);
  }

  private create(body: Body): Answer {
    const name = String(body.TenantName);
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return { error: 'BadRequestException' };
    if (this.tenants.has(name)) return { error: 'AlreadyExistsException' };
    if (this.tenants.size >= this.limit) return { error: 'LimitExceededException' };
    const tags = (body.Tags ?? []) as { Key: string; Value: string }[];
    const tenant = this.put(name, Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])));
    const { SuppressionScope: scope = 'ACCOUNT' } = (body.SuppressionAttributes ?? {}) as Record<string, string>;
    return { body: describe(Object.assign(tenant, { scope })) };
  }

  private associate({ resources }: EmulatedTenant, resource: string): Answer {
    const [, kind, name = ''] = /:(identity|configuration-set)\/(.+)$/.exec(resource) ?? [];
    const exists =
      resource.startsWith(`${ACCOUNT}:`) && (kind === 'identity' ? this.hasIdentity(name) : this.hasSet(name));
    if (!exists) return NOT_FOUND;
    if (resources.has(resource)) return { error: 'AlreadyExistsException' };
    resources.add(resource);
    return { body: {} };
  }

  private ofEntity(arn: string, part: string, body: Body): Answer {
    const tenant = [...this.tenants.values()].find((each) => each.arn === arn);
    if (tenant === undefined || (part === '' && tenant.isNew)) return NOT_FOUND;
    if (part === '/policy') tenant.policy = String(body.ReputationEntityPolicy);
    if (part === '/customer-managed-status') tenant.ownStatus = String(body.SendingStatus);
    return { body: part === '' ? { ReputationEntity: reputationOf(tenant) } : {} };
  }

  private list(body: Body): Answer {
    const { SENDING_STATUS: wanted } = (body.Filter ?? {}) as Record<string, string>;
    const found = [...this.tenants.values()].filter(
      (tenant) => !tenant.isNew && (wanted === undefined || aggregateOf(tenant) === wanted),
    );
    const start = Number(body.NextToken ?? 0);
    const end = start + Number(body.PageSize ?? 100);
    const next = end < found.length ? { NextToken: String(end) } : {};
    return { body: { ReputationEntities: found.slice(start, end).map(reputationOf), ...next } };
  }

  private with(body: Body, answer: (tenant: EmulatedTenant) => Answer): Answer {
    const tenant = this.tenants.get(String(body.TenantName));
    return tenant === undefined ? NOT_FOUND : answer(tenant);
  }
}

function aggregateOf({ ownStatus, managed, impact }: EmulatedTenant): string {
  if (ownStatus === 'DISABLED') return 'DISABLED';
  if (managed.status === 'DISABLED' && !(ownStatus === 'REINSTATED' && impact !== null)) return 'DISABLED';
  return ownStatus === 'REINSTATED' ? 'REINSTATED' : 'ENABLED';
}

function describe(tenant: EmulatedTenant): object {
  const { name, arn, tags, scope } = tenant;
  return {
    TenantName: name,
    TenantId: arn.split('/').at(-1),
    TenantArn: arn,
    SendingStatus: aggregateOf(tenant),
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
    SuppressionAttributes: { SuppressionScope: scope },
  };
}

function reputationOf(tenant: EmulatedTenant): object {
  const { arn, policy, ownStatus, managed, impact } = tenant;
  return {
    ReputationEntityReference: arn,
    ReputationEntityType: 'RESOURCE',
    ...(policy === null ? {} : { ReputationManagementPolicy: policy }),
    ...(ownStatus === null ? {} : { CustomerManagedStatus: { Status: ownStatus } }),
    AwsSesManagedStatus: { Status: managed.status, ...(managed.cause === null ? {} : { Cause: managed.cause }) },
    SendingStatusAggregate: aggregateOf(tenant),
    ...(impact === null ? {} : { ReputationImpact: impact }),
  };
}
