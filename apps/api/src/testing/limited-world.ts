import supertest from 'supertest';
import type { Route } from '../http/route.js';
import { MASTER, type TestApi } from './api-fixture.js';
import { Browser } from './browser.js';
import { ExampleWorld } from './example-world.js';
import { KEPT_CONNECTIONS } from './kept-connections.js';

/** The domain of the examples in the OpenAPI document. The caller is limited to it. */
export const OWN = 'example.com';
/** Further domains of the same partner, the last one below the own domain and linked to it. */
export const HIDDEN = ['hidden.example', 'zz-parent.example', `kid.${OWN}`] as const;
/** Domains of another partner. */
export const FOREIGN = ['foreign.example', `foreign.${OWN}`] as const;
const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const ABSENT_ID = '999999';

export interface Answer {
  status: number;
  body: unknown;
  next: string | null;
}

/** Who is limited to one domain. */
export type LimitedCaller = 'key' | 'session of a key' | 'manage link' | 'dns link';

/** A partner with the domain of the examples and a caller that is limited to it. */
export class PartnerOf {
  readonly examples: ExampleWorld;
  caller!: Bearer | Guest;
  whole = '';
  /** Ids of a hidden alias, a hidden deletion and another key; of nothing in a world without hidden domains. */
  hiddenIds: Record<string, string> = { alias: ABSENT_ID, deleted_id: ABSENT_ID, key_id: ABSENT_ID };

  constructor(
    readonly api: TestApi,
    private readonly kind: LimitedCaller,
  ) {
    this.examples = new ExampleWorld(api);
  }

  async open(): Promise<void> {
    this.whole = await this.api.key('acme');
    await this.fill(OWN);
    this.caller = await this.limitedTo(OWN);
  }

  /** Makes a caller of the kind that is limited to this domain. */
  async limitedTo(domain: string): Promise<Bearer | Guest> {
    const limits = { domains_allowed: 9, aliases_per_mailbox: 3 };
    if (this.kind === 'key' || this.kind === 'session of a key') {
      const token = await this.api.key('acme', { ...limits, domains: [domain] });
      const caller = this.kind === 'key' ? new Bearer(token) : new Guest(this.api.url, async () => ({ token }));
      await caller.enter();
      return caller;
    }
    const scope = this.kind === 'dns link' ? 'dns' : 'manage';
    const maker = this.api.as(await this.api.key('acme', limits));
    const guest = new Guest(this.api.url, async () => {
      const { body } = await maker.post('/portal-links', { domain, scope }).expect(201);
      return { code: (body as { url: string }).url.split('#code=')[1] ?? '' };
    });
    await guest.enter();
    return guest;
  }

  async fill(domain: string, token = this.whole): Promise<void> {
    await this.post('/domains/', { name: domain }, token);
    for (const name of ['info', 'gone'])
      await this.post('/users/', { email: `${name}@${domain}`, password_hash: HASH }, token);
    await this.post('/aliases/', { address: `sales@${domain}`, destination: `info@${domain}` }, token);
  }

  /** Adds all that the caller must not notice: it touches the own domain wherever another domain can. */
  async hide(): Promise<void> {
    for (const domain of HIDDEN) await this.fill(domain);
    await this.as(MASTER).put(`/domains/${HIDDEN[2]}/parent`, { parent: OWN }).expect(200);
    const foreign = await this.api.key('foreign');
    for (const domain of FOREIGN) await this.fill(domain, foreign);
    await this.as(foreign).delete(`/users/gone@${FOREIGN[0]}`).expect(204);
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      const id = await this.post('/aliases/', { address: `${name}@${HIDDEN[0]}`, destination: `info@${OWN}` });
      if (index === 0) this.hiddenIds.alias = id;
    }
    await this.post('/aliases/', { address: `d@${HIDDEN[0]}`, destination: `gone@${OWN}` });
    this.hiddenIds.key_id = await this.post('/me/keys', {});
    await this.as(this.whole).delete(`/users/gone@${HIDDEN[1]}`).expect(204);
    await this.post('/domains/', { name: 'deleted.hidden.example' });
    await this.as(this.whole).delete('/domains/deleted.hidden.example').expect(204);
    const { body } = await this.as(this.whole).get('/deleted/').expect(200);
    this.hiddenIds.deleted_id = String((body as { id: number }[])[0]?.id);
  }

  as(token: string) {
    return this.api.as(token);
  }

  private async post(path: string, body: object, token = this.whole): Promise<string> {
    const answer = await this.as(token).post(path, body).expect(201);
    return String((answer.body as { id: number }).id);
  }

  /** Sends the request as the limited caller. */
  async send({ method, url, body }: Request, caller = this.caller): Promise<Answer> {
    const request = caller.sign(supertest(this.api.url)[method](await this.withIds(url)));
    const response = await request.agent(KEPT_CONNECTIONS).send(body as object | undefined);
    // The example may have ended the session.
    if (method === 'delete' && url.startsWith('/sessions')) await caller.enter();
    return { status: response.status, body: response.body as unknown, next: response.headers.link ?? null };
  }

  private async withIds(url: string): Promise<string> {
    let filled = url;
    for (const [name, id] of Object.entries(this.hiddenIds)) filled = filled.replace(`HIDDEN-${name}`, id);
    if (!filled.includes('OWN-alias')) return filled;
    const { body } = await this.as(this.whole).get(`/aliases/?address=sales@${OWN}`).expect(200);
    return filled.replace('OWN-alias', String((body as { id: number }[])[0]?.id ?? ABSENT_ID));
  }
}

/** A caller with a token. */
class Bearer {
  constructor(private readonly token: string) {}

  async enter(): Promise<void> {}

  sign(request: supertest.Test): supertest.Test {
    return request.set('Authorization', `Bearer ${this.token}`);
  }
}

/** A caller with a session. */
class Guest {
  private browser: Browser;

  constructor(
    private readonly url: string,
    private readonly credentials: () => Promise<{ token: string } | { code: string }>,
  ) {
    this.browser = new Browser(url);
  }

  /** Opens a new session. */
  async enter(): Promise<void> {
    const given = await this.credentials();
    this.browser = new Browser(this.url);
    const { status } = await ('token' in given ? this.browser.enter(given.token) : this.browser.enter(null, given));
    expect(status).toBe(201);
  }

  sign(request: supertest.Test): supertest.Test {
    const { cookie, csrf } = this.browser;
    return request.set('Cookie', cookie ?? '').set('X-CSRF-Token', csrf ?? '');
  }
}

export interface Request {
  method: Route['method'];
  url: string;
  body: unknown;
}
