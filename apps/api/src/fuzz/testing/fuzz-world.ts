import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { PATIENCE_MS } from '../../../../../scripts/test-timeout.mjs';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../../testing/api-fixture.js';
import { faultOf, type SentResponse } from '../../testing/documented-responses.js';
import type { FuzzCaller, FuzzRequest, Pools } from './fuzz-requests.js';

/** After this many requests, what they deleted is created again. */
const PREPARED_EVERY = 250;
/** One of so many requests may be refused for lack of time; a caller repeats it. */
const ONE_OF = 100;
const SPARE_TOKEN = 'spare.token-of-the-fuzz.4f9KpX27';
const PARTNERS = ['alpha', 'beta'] as const;
type Partner = (typeof PARTNERS)[number];

/** A part of every name that only the partner may see. No request contains it. */
const secretOf = (partner: Partner) => `secret${partner}`;
/** A domain whose name the requests of everyone contain. */
const knownDomain = (partner: Partner) => `known-${partner}.example`;
const secretDomain = (partner: Partner) => `${secretOf(partner)}.example`;

/** A service with two partners, whose things have marks, and the checks of every response. */
export class FuzzWorld {
  private readonly agent = new Agent({ keepAlive: true });
  private sent = 0;
  private refused = 0;

  private constructor(
    readonly api: TestApi,
    private readonly tokens: Record<FuzzCaller, string | null>,
    private readonly mail: string,
  ) {}

  static async start(kind: DatabaseKind): Promise<FuzzWorld> {
    const mail = await mkdtemp(join(tmpdir(), 'mailstead-mail-'));
    const settings = { MAIL_STORE: 'maildir', MAILDIR_ROOT: mail, RATE_LIMIT: '0', AUTH_FAILURES_PER_MINUTE: '0' };
    const api = await startTestApi(kind, settings);
    // The first keys are the spare ones: requests guess small ids.
    for (let spare = 0; spare < 3; spare += 1) await api.key('spare');
    const tokens = { alpha: await api.key('alpha'), beta: await api.key('beta') };
    const operators = { master: MASTER, policy: POLICY, billing: BILLING, read: READ };
    const others = { nobody: null, stranger: 'a-wrong-token-0123456789-0123456789' };
    const world = new FuzzWorld(api, { ...tokens, ...operators, ...others }, mail);
    await world.prepare();
    return world;
  }

  /** The values that the requests contain. */
  async pools(): Promise<Pools> {
    const own = ['fuzz-1.example', 'fuzz-2.example', 'sub.fuzz-1.example', 'FUZZ-1.example.', 'bücher.example'];
    const domains = [...PARTNERS.map(knownDomain), ...PARTNERS.map((partner) => `sub.${knownDomain(partner)}`), ...own];
    const mailboxes = domains.slice(0, 6).flatMap((domain) => [`box@${domain}`, `other@${domain}`]);
    const aliases = domains.slice(0, 5).flatMap((domain) => [`sales@${domain}`, `@${domain}`]);
    const { body: rows } = await this.api.as(MASTER).get('/aliases/');
    const ids = (rows as { id: number }[]).map(({ id }) => id);
    const tokens = [SPARE_TOKEN, 'fuzz.token-1234567890abcdef', '1', '2'];
    return {
      domain_name: domains,
      domain: domains,
      parent: domains,
      email: mailboxes,
      login: mailboxes,
      sender: mailboxes,
      destination: [...mailboxes, 'someone@outside.example'],
      recipient: [...mailboxes, ...aliases, 'someone@outside.example'],
      address: [...aliases, ...mailboxes],
      alias: [...ids, ...aliases],
      partner_ref: ['alpha', 'beta', 'spare', 'gamma'],
      token: tokens,
      tier: ['basic', 'standard', 'absent'],
      file: ['start.js', 'favicon.svg', 'package.json'],
      name: ['fuzz-1.example', 'retention.purge', 'outbound.reset-daily', 'relay-events.process', ...domains],
      id: ['one', 'two'],
      password: ['a good passphrase', 'short', 'x'.repeat(73)],
      password_hash: ['$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', '$2y$31$short'],
      after: [0, 1, 5, 'alpha'],
      limit: [1, 2, 50],
      cause: ['billing', 'abuse', 'operator'],
    };
  }

  /** Creates the marked things, as far as they are missing. Only master and their partner see them. */
  async prepare(): Promise<void> {
    const master = this.api.as(MASTER);
    await master.post('/api-keys/', { token: SPARE_TOKEN, partner_ref: 'spare' });
    for (const partner of PARTNERS) {
      // Requests suspend partners too; while they are, their changes are refused.
      await master.put(`/partners/${partner}/activate`);
      for (const name of [knownDomain(partner), secretDomain(partner)]) {
        await master.post('/domains/', { name, partner_ref: partner });
      }
      const secret = secretOf(partner);
      const secretBox = `${secret}@${knownDomain(partner)}`;
      const password_hash = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
      for (const email of [secretBox, `box@${knownDomain(partner)}`, `box@${secretDomain(partner)}`]) {
        await master.post('/users/', { email, password_hash, name: secret });
      }
      await master.put(`/users/box@${knownDomain(partner)}`, { name: secret });
      await master.post('/aliases/', { address: `sales@${knownDomain(partner)}`, destination: secretBox });
    }
  }

  /** Whether a request would take a marked thing from its partner, so that others may see its name later. */
  movesMarked({ method, template, url, caller, body }: FuzzRequest): boolean {
    if (!url.includes('known-')) return false;
    if (template === '/domains/{domain_name}/partner') return caller === 'master';
    const owner = PARTNERS.find((partner) => url.includes(knownDomain(partner)));
    const mayDelete = caller === owner || caller === 'master' || caller === 'billing';
    return (
      method === 'delete' && template === '/domains/{domain_name}' && mayDelete && !url.includes('sub.') && body !== ''
    );
  }

  /** Sends a request. @throws Error that says what is wrong with the response. */
  async check(request: FuzzRequest): Promise<void> {
    this.sent += 1;
    if (this.sent % PREPARED_EVERY === 0) await this.prepare();
    const response = await this.answer(request);
    const { status, body } = response;
    if (status >= 500) throw new Error(`The response is ${status}: ${body.slice(0, 1_000)}`);
    const fault = faultOf(this.api.document, response);
    if (fault !== null) throw new Error(`The response is not as documented: ${fault}`);
    this.checkIsolation(request, response);
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    await rm(this.mail, { recursive: true, force: true });
    await this.api.close();
  }

  private checkIsolation({ caller, template, url }: FuzzRequest, { status, headers, body }: SentResponse): void {
    if (caller === 'master' || caller === 'billing' || caller === 'read' || caller === 'policy') return;
    const text = body + JSON.stringify(headers);
    for (const partner of PARTNERS) {
      if (partner === caller) continue;
      if (text.includes(secretOf(partner)))
        throw new Error(`The response has things of ${partner}: ${text.slice(0, 1_000)}`);
      const isForeign = /\{(domain_name|email|alias)\}/.test(template) && isAbout(url, knownDomain(partner));
      if (isForeign && status < 300)
        throw new Error(`${caller} reaches a thing of ${partner}: ${body.slice(0, 1_000)}`);
    }
  }

  /** Sends a request until it is not refused for lack of time. */
  private async answer(request: FuzzRequest): Promise<SentResponse> {
    for (;;) {
      const response = await this.send(request);
      const isRefused = response.status === 503 && response.headers['retry-after'] !== undefined;
      if (!isRefused) return response;
      this.refused += 1;
      if (this.refused > Math.ceil(this.sent / ONE_OF))
        throw new Error(`${this.refused} of ${this.sent} requests were refused for lack of time: ${response.body}`);
    }
  }

  private send({ caller, method, url, headers, body }: FuzzRequest): Promise<SentResponse> {
    const token = this.tokens[caller];
    const authorization = token === null ? {} : { Authorization: `Bearer ${token}` };
    const bytes = body === null ? null : Buffer.from(body);
    const length = bytes === null ? {} : { 'Content-Length': bytes.length };
    return new Promise((resolve, reject) => {
      const sending = httpRequest(
        this.api.url,
        {
          agent: this.agent,
          path: url,
          method: method.toUpperCase(),
          headers: { ...headers, ...authorization, ...length },
          signal: AbortSignal.timeout(PATIENCE_MS),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              method: method.toUpperCase(),
              url,
              status: response.statusCode ?? 0,
              headers: response.headers as Record<string, string>,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      sending.on('error', reject).end(bytes ?? undefined);
    });
  }
}

/** Whether the path names the domain itself or an address of it. */
function isAbout(url: string, domain: string): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return path.split(/\/|%40|@/).includes(domain);
}
