import type {
  CreateEmailIdentityRequest,
  CreateEmailIdentityResponse,
  DeleteSuppressedDestinationCommandOutput,
  DkimAttributes,
  GetConfigurationSetCommandOutput,
  GetConfigurationSetEventDestinationsResponse,
  GetEmailIdentityResponse,
  Tag,
} from '@aws-sdk/client-sesv2';
import { SECOND_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { Meters, SilentMeters } from '@mailstead/core/meters';
import type { DnsRecord } from '@mailstead/core/relay/dns-records';
import {
  type AlignedIdentity,
  type EnsureOutcome,
  type IdentityStatus,
  type ListedIdentity,
  type RelayDomain,
  type RelayIdentity,
  RelayProvider,
  type RelayReport,
} from '@mailstead/core/relay/relay-provider';
import type { TenantPolicy } from '@mailstead/core/relay/tenants/relay-tenants';
import type { RateLimiter, RateShare } from '../relay/rate-limiter.js';
import { readAccount, readDestinations } from './account-states.js';
import { identityReason, identityStatus } from './identity-states.js';
import { KeyedMutex } from './keyed-mutex.js';
import { INSTALLATION_TAG, isOurs, tagOf, unreadable } from './own-tags.js';
import { SesClient, type SesClientOptions } from './ses-client.js';
import { SES_ALIGN_INTERVAL_MS } from './ses-rate-rules.js';
import { SesTenants } from './ses-tenants.js';

/** The zone of the oldest regions, whose responses have no `SigningHostedZone`. */
const DEFAULT_DKIM_ZONE = 'dkim.amazonses.com';
/** SES looked for the records of a verified identity again and did not find them. It still sends for some time. */
const MISSING_RECORDS = 'TEMPORARY_FAILURE';
const DOMAIN_TAG = 'mailstead-domain';
/** The largest page of `ListEmailIdentities`. */
const PAGE_SIZE = 1_000;
/** The most tries of `ensureIdentity`, for a name that others create and delete at the same time. */
const ENSURE_ROUNDS = 3;

export interface SesRelayOptions extends SesClientOptions {
  /**
   * Reads the value of the tag that marks this installation's identities, because others may use the same SES account.
   */
  installationId: () => Promise<string>;
  /** The share of the rate limit that this process uses; `background` by default. */
  share?: RateShare;
  /** The configuration set of every identity (`SES_CONFIGURATION_SET`). */
  configurationSet: string;
  /** `SES_TENANT_POLICY`; null while `SES_TENANTS` is off. */
  tenantPolicy: TenantPolicy | null;
}

type Owner = 'this domain' | 'another domain of ours' | 'others';

/**
 * Manages domain identities in Amazon SES v2 with Easy DKIM. Never changes an identity without this installation's tag.
 */
export class SesRelayProvider extends RelayProvider {
  // Static, because one process may have several instances of the provider.
  private static readonly mutex = new KeyedMutex();

  override readonly lists = true;
  override readonly minCheckIntervalMs = 10 * SECOND_MS;
  override readonly alignIntervalMs = SES_ALIGN_INTERVAL_MS;
  override readonly configurationSet: string;
  override readonly tenants: SesTenants | null;

  private readonly ses: SesClient;

  constructor(
    private readonly options: SesRelayOptions,
    rateLimiter: RateLimiter,
    meters: Meters = new SilentMeters(),
  ) {
    super();
    this.configurationSet = options.configurationSet;
    this.ses = new SesClient(options, rateLimiter, options.share ?? 'background', meters);
    const { tenantPolicy: policy } = options;
    this.tenants = policy === null ? null : new SesTenants(this.ses, { ...options, policy });
  }

  override ensureIdentity(domain: RelayDomain, restart: boolean): Promise<EnsureOutcome> {
    return SesRelayProvider.mutex.run(domain.name, () => this.ensure(domain, restart));
  }

  /** @returns null also when the identity belongs to another domain or installation */
  override async readIdentity(domain: RelayDomain): Promise<RelayIdentity | null> {
    const found = await this.find(domain.name);
    return found !== null && (await this.ownerOf(found.Tags, domain)) === 'this domain'
      ? readIdentity(domain.name, found)
      : null;
  }

  override alignIdentity(domain: RelayDomain): Promise<AlignedIdentity> {
    return SesRelayProvider.mutex.run(domain.name, async () => {
      const identity = await this.readIdentity(domain);
      if (identity === null || identity.configurationSet === this.configurationSet) return { identity, calls: 1 };
      const isPut = await this.putConfigurationSet(domain.name);
      return { identity: isPut ? { ...identity, configurationSet: this.configurationSet } : identity, calls: 2 };
    });
  }

  override async readAccount(): Promise<RelayReport> {
    const account = await this.ses.call(
      ({ sdk, client }, abortSignal) => client.send(new sdk.GetAccountCommand({}), { abortSignal }),
      {},
      'background',
    );
    const input = { ConfigurationSetName: this.configurationSet };
    const found = await this.ses.call<GetConfigurationSetEventDestinationsResponse | null>(
      ({ sdk, client }, abortSignal) =>
        client.send(new sdk.GetConfigurationSetEventDestinationsCommand(input), { abortSignal }),
      { NotFoundException: null },
      'background',
    );
    return {
      account: readAccount(account),
      configurationSet:
        found === null
          ? null
          : {
              name: this.configurationSet,
              destinations: readDestinations(found.EventDestinations),
              ...(this.tenants === null ? {} : { ownSuppression: await this.hasOwnSuppression() }),
            },
    };
  }

  private async hasOwnSuppression(): Promise<boolean> {
    const input = { ConfigurationSetName: this.configurationSet };
    const set = await this.ses.call<GetConfigurationSetCommandOutput | null>(
      ({ sdk, client }, abortSignal) => client.send(new sdk.GetConfigurationSetCommand(input), { abortSignal }),
      { NotFoundException: null },
      'background',
    );
    return set?.SuppressionOptions?.SuppressedReasons !== undefined;
  }

  override async listIdentities(
    pageToken: string | null,
  ): Promise<{ listed: ListedIdentity[]; nextToken: string | null }> {
    const input = { PageSize: PAGE_SIZE, ...(pageToken === null ? {} : { NextToken: pageToken }) };
    const page = await this.ses.call(
      ({ sdk, client }, abortSignal) => client.send(new sdk.ListEmailIdentitiesCommand(input), { abortSignal }),
      {},
      'background',
    );
    if (page.EmailIdentities === undefined) throw unreadable('a list without identities');
    const listed: ListedIdentity[] = [];
    for (const { IdentityType, IdentityName, VerificationStatus, SendingEnabled } of page.EmailIdentities) {
      if (IdentityType !== 'DOMAIN' || IdentityName === undefined) continue;
      const status = readStatus(VerificationStatus, SendingEnabled);
      const atRisk = status === 'verified' && VerificationStatus === MISSING_RECORDS;
      listed.push({ name: IdentityName.toLowerCase(), status, atRisk });
    }
    return { listed, nextToken: page.NextToken ?? null };
  }

  /**
   * SES has no conditional deletion: the identity may be replaced between the call that reads its tags and the
   * deletion.
   */
  override deleteIdentity(domain: RelayDomain): Promise<void> {
    return SesRelayProvider.mutex.run(domain.name, async () => {
      const found = await this.find(domain.name);
      if (found !== null && (await this.ownerOf(found.Tags, domain)) === 'this domain') await this.remove(domain.name);
    });
  }

  override async liftSuppression(address: string): Promise<void> {
    const answer = await this.ses.call<DeleteSuppressedDestinationCommandOutput | null>(
      ({ sdk, client }, abortSignal) =>
        client.send(new sdk.DeleteSuppressedDestinationCommand({ EmailAddress: address }), { abortSignal }),
      { NotFoundException: null },
    );
    // The body is empty, so that the page of a proxy would pass for it.
    if (answer !== null && answer.$metadata.requestId === undefined) throw unreadable('a response that is not its own');
  }

  /** Closes idle connections. */
  close(): Promise<void> {
    return this.ses.close();
  }

  private async ensure(domain: RelayDomain, restart: boolean): Promise<EnsureOutcome> {
    for (let round = 0; round < ENSURE_ROUNDS; round += 1) {
      const created = await this.create(domain);
      if (created !== null) return { outcome: 'ours', identity: created };
      const found = await this.find(domain.name);
      if (found === null) continue;
      const owner = await this.ownerOf(found.Tags, domain);
      if (owner === 'others') return { outcome: 'foreign' };
      if (owner === 'this domain') {
        const identity = readIdentity(domain.name, found);
        if (!(restart && identity.status === 'failed')) return { outcome: 'ours', identity };
      }
      // The DNS records of a former domain must not verify this one, and SES never checks the DNS of a failed identity
      // again.
      await this.remove(domain.name);
    }
    throw unreadable('an identity that is created and deleted again and again');
  }

  /**
   * Creates the identity with the configuration set. Without it when SES does not know the set: a setting that is wrong
   * must not stop the verification of domains, and the set is put later (`alignIdentity`).
   *
   * @returns null when the name exists already
   */
  private async create(domain: RelayDomain): Promise<RelayIdentity | null> {
    const created = await this.createWith(domain, this.configurationSet);
    return created === 'no such set' ? ((await this.createWith(domain, null)) as RelayIdentity | null) : created;
  }

  private async createWith(domain: RelayDomain, set: string | null): Promise<RelayIdentity | null | 'no such set'> {
    const input: CreateEmailIdentityRequest = {
      EmailIdentity: domain.name,
      DkimSigningAttributes: { NextSigningKeyLength: 'RSA_2048_BIT' },
      ...(set === null ? {} : { ConfigurationSetName: set }),
      Tags: [
        { Key: INSTALLATION_TAG, Value: await this.options.installationId() },
        { Key: DOMAIN_TAG, Value: String(domain.id) },
      ],
    };
    const created = await this.ses.call<CreateEmailIdentityResponse | null | 'no such set'>(
      ({ sdk, client }, abortSignal) => client.send(new sdk.CreateEmailIdentityCommand(input), { abortSignal }),
      { AlreadyExistsException: null, ...(set === null ? {} : { NotFoundException: 'no such set' }) },
    );
    if (created === null || created === 'no such set') return created;
    if (created.DkimAttributes?.Tokens === undefined) throw unreadable('a new identity without DKIM tokens');
    // The response to a creation has no `VerificationStatus`: SES has not checked the DNS yet.
    return {
      status: 'pending',
      reason: null,
      configurationSet: set,
      atRisk: null,
      ...readDkim(domain.name, created.DkimAttributes),
    };
  }

  /** @returns false when SES does not know the identity or the set */
  private putConfigurationSet(name: DomainName): Promise<boolean> {
    const input = { EmailIdentity: name, ConfigurationSetName: this.configurationSet };
    return this.ses.call<boolean>(
      async ({ sdk, client }, abortSignal) => {
        await client.send(new sdk.PutEmailIdentityConfigurationSetAttributesCommand(input), { abortSignal });
        return true;
      },
      { NotFoundException: false },
    );
  }

  private find(name: DomainName): Promise<GetEmailIdentityResponse | null> {
    return this.ses.call<GetEmailIdentityResponse | null>(
      ({ sdk, client }, abortSignal) =>
        client.send(new sdk.GetEmailIdentityCommand({ EmailIdentity: name }), { abortSignal }),
      { NotFoundException: null },
    );
  }

  private remove(name: DomainName): Promise<unknown> {
    return this.ses.call<unknown>(
      ({ sdk, client }, abortSignal) =>
        client.send(new sdk.DeleteEmailIdentityCommand({ EmailIdentity: name }), { abortSignal }),
      { NotFoundException: null },
    );
  }

  private async ownerOf(tags: Tag[] = [], domain: RelayDomain): Promise<Owner> {
    if (!isOurs(tags, await this.options.installationId())) return 'others';
    return tagOf(tags, DOMAIN_TAG) === String(domain.id) ? 'this domain' : 'another domain of ours';
  }
}

function readIdentity(name: DomainName, found: GetEmailIdentityResponse): RelayIdentity {
  const status = readStatus(found.VerificationStatus, found.VerifiedForSendingStatus);
  const reason = identityReason(status, found.VerificationInfo?.ErrorType);
  const configurationSet = found.ConfigurationSetName ?? null;
  const dkim = readDkim(name, found.DkimAttributes);
  const isMissed = found.VerificationStatus === MISSING_RECORDS || found.DkimAttributes?.Status === MISSING_RECORDS;
  const atRisk =
    status === 'verified' && isMissed ? { since: found.VerificationInfo?.LastSuccessTimestamp ?? null } : null;
  return { status, reason, configurationSet, atRisk, ...dkim };
}

function readStatus(verification: string | undefined, sending: boolean | undefined): IdentityStatus {
  const status = identityStatus({ verification, sending });
  if (status === null) throw unreadable('an identity without a state');
  return status;
}

/** @returns `DkimAttributes.Status`, and a CNAME record for each of `Tokens` (three with Easy DKIM) */
function readDkim(name: DomainName, dkim: DkimAttributes = {}): Pick<RelayIdentity, 'providerStatus' | 'records'> {
  const zone = dkim.SigningHostedZone ?? DEFAULT_DKIM_ZONE;
  return {
    providerStatus: (dkim.Status ?? 'NOT_STARTED').toLowerCase(),
    records: (dkim.Tokens ?? []).map((token): DnsRecord => {
      return { purpose: 'dkim', type: 'CNAME', name: `${token}._domainkey.${name}`, value: `${token}.${zone}` };
    }),
  };
}
