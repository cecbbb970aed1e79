import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmulatedAccount } from './emulated-account.js';
import { type EmulatedFault, refuse, send, sendFault } from './emulated-responses.js';
import { EmulatedTenants } from './emulated-tenants.js';

type EmulatedStatus = 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE' | 'NOT_STARTED';

interface EmulatedIdentity {
  name: string;
  type: 'DOMAIN' | 'EMAIL_ADDRESS' | 'MANAGED_DOMAIN';
  status: EmulatedStatus;
  sending: boolean;
  errorType: string | null;
  tokens: string[];
  tags: Record<string, string>;
  createdAt: number;
  configurationSet: string | null;
  /** When SES last found the records, milliseconds; null when it does not say. */
  lastSuccessAt: number | null;
  /** `NextSigningKeyLength` of its creation. */
  keyLength: string | null;
}

export interface SesEmulatorOptions {
  /** Looks up a CNAME. When it is given, a pending identity becomes verified when all its records are found. */
  resolveCname?: (name: string) => Promise<string[]>;
  /**
   * The `SigningHostedZone` in responses. With `null` the field is missing, as in regions that use
   * `dkim.amazonses.com`.
   */
  signingHostedZone?: string | null;
  /** The most identities on one page of the list, even when the request has a larger `PageSize`. */
  maxPageSize?: number;
  /** The clock for the rate limit and for the 72 hours after which a verification fails, milliseconds. */
  now?: () => number;
}

export interface SesEmulator {
  readonly url: string;
  /** The account and its configuration sets. */
  readonly account: EmulatedAccount;
  /** Those of the account. */
  readonly tenants: EmulatedTenants;
  /** The addresses to which the account does not send, in the spelling in which they were put there. */
  readonly suppressed: Set<string>;
  /** All requests in the order received, such as `POST /v2/email/identities`. */
  readonly requests: string[];
  identity(name: string): EmulatedIdentity | undefined;
  /** Adds an identity without a request to the API. */
  put(identity: Partial<EmulatedIdentity> & { name: string }): EmulatedIdentity;
  /** Sets the identity to verified. */
  verify(name: string): void;
  fail(name: string, errorType?: string): void;
  /** Makes SES miss the records of a verified identity: `TEMPORARY_FAILURE`, and it still sends. */
  miss(name: string): void;
  /**
   * Takes a message of an identity, as over SMTP.
   *
   * @param header the value of `X-SES-CONFIGURATION-SET`
   * @param tenant the value of `X-SES-TENANT`
   * @returns the topics to which SES publishes an event of this type about the message: none without a configuration
   * set
   * @throws Error when SES refuses the message: a set that does not exist, an identity that is not verified, one of
   * both that is not associated with the tenant, a tenant that does not send
   */
  send(name: string, eventType: string, header?: string, tenant?: string): string[];
  /** Makes the next `count` requests fail. */
  fault(fault: EmulatedFault, count?: number): void;
  /** Allows one request in `intervalMs` and responds to others with 429. Null allows all. */
  limitRate(intervalMs: number | null, error?: 'LimitExceededException' | 'TooManyRequestsException'): void;
  /** Removes all identities, requests, faults and the rate limit. */
  reset(): void;
  close(): Promise<void>;
}

const VERIFICATION_TIMEOUT_MS = 72 * 3_600_000;

/**
 * Starts a loopback server with those operations of the SES v2 API (restJson1) that concern identities, the account
 * and configuration sets. All is kept in memory.
 */
export async function startSesEmulator(options: SesEmulatorOptions = {}): Promise<SesEmulator> {
  const emulator = new Emulator(options);
  const server = createServer((request, response) => void emulator.serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(emulator, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

class Emulator implements Omit<SesEmulator, 'url' | 'close'> {
  readonly requests: string[] = [];
  readonly account = new EmulatedAccount();
  readonly suppressed = new Set<string>();
  readonly tenants = new EmulatedTenants(
    (name) => this.identities.has(name),
    (name) => this.account.sets.has(name),
  );
  private readonly identities = new Map<string, EmulatedIdentity>();
  private readonly faults: EmulatedFault[] = [];
  private rate: { intervalMs: number; error: string } | null = null;
  private lastAllowedAt = Number.NEGATIVE_INFINITY;
  private readonly now: () => number;

  constructor(private readonly options: SesEmulatorOptions) {
    this.now = options.now ?? Date.now;
  }

  identity(name: string): EmulatedIdentity | undefined {
    return this.identities.get(name);
  }

  put(identity: Partial<EmulatedIdentity> & { name: string }): EmulatedIdentity {
    const whole: EmulatedIdentity = {
      type: 'DOMAIN',
      status: 'PENDING',
      sending: identity.status === 'SUCCESS',
      errorType: null,
      tokens: [1, 2, 3].map(() => randomBytes(16).toString('hex')),
      tags: {},
      createdAt: this.now(),
      configurationSet: null,
      lastSuccessAt: null,
      keyLength: null,
      ...identity,
    };
    this.identities.set(whole.name, whole);
    return whole;
  }

  verify(name: string): void {
    this.change(name, { status: 'SUCCESS', sending: true, errorType: null });
  }

  fail(name: string, errorType = 'HOST_NOT_FOUND'): void {
    this.change(name, { status: 'FAILED', sending: false, errorType });
  }

  miss(name: string): void {
    this.change(name, { status: 'TEMPORARY_FAILURE', sending: true, errorType: 'HOST_NOT_FOUND' });
  }

  send(name: string, eventType: string, header?: string, tenant?: string): string[] {
    const identity = this.identities.get(name);
    if (identity?.sending !== true) throw new Error(`554 Message rejected: ${name} is not verified`);
    const set = header ?? identity.configurationSet;
    if (tenant !== undefined) this.tenants.check(tenant, name, set);
    return this.account.published(set, eventType);
  }

  fault(fault: EmulatedFault, count = 1): void {
    for (let index = 0; index < count; index += 1) this.faults.push(fault);
  }

  limitRate(intervalMs: number | null, error = 'TooManyRequestsException'): void {
    this.rate = intervalMs === null ? null : { intervalMs, error };
    this.lastAllowedAt = Number.NEGATIVE_INFINITY;
  }

  reset(): void {
    this.identities.clear();
    this.suppressed.clear();
    this.account.reset();
    this.tenants.reset();
    this.requests.length = 0;
    this.faults.length = 0;
    this.limitRate(null);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://ses');
    const line = `${request.method} ${pathname}`;
    this.requests.push(line);
    const fault = this.faults.shift();
    if (fault !== undefined) return sendFault(fault, response);
    if (!(request.headers.authorization ?? '').startsWith('AWS4-HMAC-SHA256 ')) {
      return refuse(response, 403, 'MissingAuthenticationTokenException', 'Missing Authentication Token');
    }
    if (!this.allows()) return refuse(response, 429, this.rate?.error ?? '', 'Rate exceeded');
    const text = Buffer.concat(chunks).toString();
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const ofTenants = this.tenants.answer(line, body, searchParams);
    if (ofTenants === null) await this.answer(line, body, response);
    else if ('body' in ofTenants) send(response, 200, ofTenants.body);
    else refuse(response, ofTenants.error === 'NotFoundException' ? 404 : 400, ofTenants.error, 'Refused.');
  }

  private async answer(line: string, body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    if (line === 'POST /v2/email/identities') return this.create(body, response);
    if (line === 'POST /v2/email/list-identities') return this.list(body, response);
    const [, address] = /^DELETE \/v2\/email\/suppression\/addresses\/([^/]+)$/.exec(line) ?? [];
    if (address !== undefined) return this.lift(decodeURIComponent(address), response);
    const ofAccount = this.account.answer(line);
    if (ofAccount !== null) {
      if (ofAccount.body !== null) return send(response, 200, ofAccount.body);
      return refuse(response, 404, 'NotFoundException', 'Configuration set does not exist.');
    }
    const path = /^(GET|DELETE|PUT) \/v2\/email\/identities\/([^/]+)(\/configuration-set)?$/;
    const [, method, encoded, part = ''] = path.exec(line) ?? [];
    if (encoded === undefined || (method === 'PUT') !== (part !== ''))
      return refuse(response, 404, 'UnknownOperationException', 'Unknown operation');
    const identity = this.identities.get(decodeURIComponent(encoded));
    if (identity === undefined) {
      return refuse(response, 404, 'NotFoundException', `Email identity ${encoded} does not exist.`);
    }
    if (method === 'PUT') return this.putSet(identity, body, response);
    if (method === 'DELETE') {
      this.identities.delete(identity.name);
      this.tenants.forgetIdentity(identity.name);
      return send(response, 200, {});
    }
    await this.updateStatus(identity);
    send(response, 200, {
      IdentityType: identity.type,
      FeedbackForwardingStatus: true,
      VerifiedForSendingStatus: identity.sending,
      VerificationStatus: identity.status,
      ...(identity.configurationSet === null ? {} : { ConfigurationSetName: identity.configurationSet }),
      DkimAttributes: this.dkimOf(identity),
      Tags: Object.entries(identity.tags).map(([Key, Value]) => ({ Key, Value })),
      VerificationInfo: {
        LastCheckedTimestamp: this.now() / 1_000,
        ...(identity.lastSuccessAt === null ? {} : { LastSuccessTimestamp: identity.lastSuccessAt / 1_000 }),
        ...(identity.errorType === null ? {} : { ErrorType: identity.errorType }),
      },
    });
  }

  private lift(address: string, response: ServerResponse): void {
    if (this.suppressed.delete(address)) return send(response, 200, {});
    refuse(response, 404, 'NotFoundException', `Email address ${address} does not exist on your suppression list.`);
  }

  private create(body: Record<string, unknown>, response: ServerResponse): void {
    const name = body.EmailIdentity;
    if (typeof name !== 'string' || !name.includes('.')) {
      return refuse(response, 400, 'BadRequestException', 'Invalid identity.');
    }
    if (this.identities.has(name)) {
      return refuse(response, 400, 'AlreadyExistsException', `Email identity ${name} already exist.`);
    }
    const configurationSet = (body.ConfigurationSetName ?? null) as string | null;
    if (!this.account.knows(configurationSet)) {
      return refuse(response, 404, 'NotFoundException', `Configuration set <${configurationSet}> does not exist.`);
    }
    const { NextSigningKeyLength: keyLength = null } = (body.DkimSigningAttributes ?? {}) as Record<string, string>;
    const tags = (body.Tags ?? []) as { Key: string; Value: string }[];
    const identity = this.put({
      name,
      tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
      configurationSet,
      keyLength,
    });
    send(response, 200, {
      IdentityType: identity.type,
      VerifiedForSendingStatus: identity.sending,
      DkimAttributes: { ...this.dkimOf(identity), Status: 'NOT_STARTED' },
    });
  }

  private putSet(identity: EmulatedIdentity, body: Record<string, unknown>, response: ServerResponse): void {
    const set = (body.ConfigurationSetName ?? null) as string | null;
    if (!this.account.knows(set)) {
      return refuse(response, 404, 'NotFoundException', `Configuration set <${set}> does not exist.`);
    }
    identity.configurationSet = set;
    send(response, 200, {});
  }

  private async list(body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    const all = [...this.identities.values()];
    for (const identity of all) await this.updateStatus(identity);
    const start = typeof body.NextToken === 'string' ? Number(Buffer.from(body.NextToken, 'base64').toString()) : 0;
    if (!Number.isInteger(start)) return refuse(response, 400, 'BadRequestException', 'Invalid NextToken.');
    const end = start + Math.min(Number(body.PageSize ?? 100), this.options.maxPageSize ?? 1_000);
    send(response, 200, {
      EmailIdentities: all.slice(start, end).map((identity) => ({
        IdentityType: identity.type,
        IdentityName: identity.name,
        SendingEnabled: identity.sending,
        VerificationStatus: identity.status,
      })),
      ...(end < all.length ? { NextToken: Buffer.from(String(end)).toString('base64') } : {}),
    });
  }

  /** Updates a pending identity, as SES does over time: verified when its records exist, failed after 72 hours. */
  private async updateStatus(identity: EmulatedIdentity): Promise<void> {
    if (identity.status !== 'PENDING') return;
    if (await this.servesRecords(identity)) return this.verify(identity.name);
    if (this.now() - identity.createdAt >= VERIFICATION_TIMEOUT_MS) this.fail(identity.name);
  }

  private async servesRecords({ name, tokens }: EmulatedIdentity): Promise<boolean> {
    const { resolveCname } = this.options;
    if (resolveCname === undefined) return false;
    for (const token of tokens) {
      const targets = await resolveCname(`${token}._domainkey.${name}`).catch((): string[] => []);
      if (!targets.includes(`${token}.${this.zone ?? 'dkim.amazonses.com'}`)) return false;
    }
    return true;
  }

  private dkimOf({ status, tokens }: EmulatedIdentity): Record<string, unknown> {
    return {
      SigningEnabled: true,
      SigningAttributesOrigin: 'AWS_SES',
      Status: status,
      Tokens: tokens,
      ...(this.zone === null ? {} : { SigningHostedZone: this.zone }),
    };
  }

  private get zone(): string | null {
    return this.options.signingHostedZone === undefined ? 'x1y2.dkim.emulated.example' : this.options.signingHostedZone;
  }

  private allows(): boolean {
    if (this.rate === null) return true;
    if (this.now() - this.lastAllowedAt < this.rate.intervalMs) return false;
    this.lastAllowedAt = this.now();
    return true;
  }

  private change(name: string, fields: Partial<EmulatedIdentity>): void {
    const identity = this.identities.get(name);
    if (identity === undefined) throw new Error(`The emulator has no identity ${name}`);
    Object.assign(identity, fields);
  }
}
