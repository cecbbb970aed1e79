import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { MakeTenant } from '@mailstead/core/relay/tenants/make-tenant';
import { ScriptedTenants } from '@mailstead/core/testing/scripted-tenants';
import { type SendResult, WebhookSender } from '@mailstead/core/webhooks/webhook-sender';
import supertest from 'supertest';
import type { Route } from '../http/route.js';
import type { ApiDocument, Operation } from './api-document.js';
import { MASTER, type TestApi } from './api-fixture.js';
import { Browser } from './browser.js';
import { KEPT_CONNECTIONS } from './kept-connections.js';
import { postSigned } from './relay-events.js';

const PARTNER = 'acme';
/** The parameters whose things are made for one request. */
const MADE = new Set(['key_id', 'link_id', 'endpoint_id', 'suppression_id', 'message']);

/** A request to a route, made of the examples in the OpenAPI document. */
export interface ExampleRequest {
  /** The query of the example parameters is left out when false. */
  query?: boolean | Record<string, string>;
  body?: unknown;
}

/** Sends the examples of the OpenAPI document to a service that has the things of which they are about. */
export class ExampleWorld {
  /** The token of the example key. */
  readonly token: string;
  private deleted = 0;
  private endpoints = 0;
  private messages = 0;

  /** @param document with the examples: that of the service, or of another release */
  constructor(
    private readonly api: TestApi,
    readonly document: ApiDocument = api.document,
  ) {
    this.token = (this.bodyOf('/api-keys/') as { token: string }).token;
    // Every URL answers a challenge.
    Object.assign(api.container.get(WebhookSender), { post: echoed });
  }

  /**
   * Creates the example key, domain, mailbox and alias, as far as they are missing, and undoes changes that hide them.
   */
  async prepare(): Promise<void> {
    const master = this.api.as(MASTER);
    await master.post('/api-keys/', this.bodyOf('/api-keys/'));
    await master.post('/domains/', { ...(this.bodyOf('/domains/') as object), partner_ref: PARTNER });
    await master.put('/domains/example.com/partner', { partner_ref: PARTNER }).expect(200);
    await master.put('/domains/example.com/activate').expect(200);
    await master.post('/users/', this.bodyOf('/users/'));
    await master.post('/aliases/', this.bodyOf('/aliases/'));
  }

  /** Gives the partner a tenant at the relay provider. */
  private async makeTenant(): Promise<void> {
    this.api.relay.tenants = new ScriptedTenants();
    const [row] = await this.api.database.read('SELECT id FROM partner WHERE ref = ?', [PARTNER]);
    if (row !== undefined) await this.api.container.get(MakeTenant).execute(Number(row.id));
  }

  /** Deletes what the example of a POST route creates. */
  async makeRoomFor({ method, path }: Route): Promise<void> {
    if (method !== 'post') return;
    if (path === '/webhook-endpoints') await this.deleteEndpoints();
    if (path.startsWith('/suppressions/')) await this.deleteSuppressions();
    const created: Record<string, string> = {
      '/api-keys/': `/api-keys/${this.token}`,
      '/domains/': '/domains/example.com',
      '/users/': '/users/info@example.com',
      '/aliases/': '/aliases/sales@example.com',
    };
    const resource = created[path.replace(/bulk$/, '')];
    if (resource !== undefined) await this.api.as(MASTER).delete(resource);
  }

  /** Sends the example of a route. @param caller a token, a session, or null for a request without a token. */
  async send(
    route: Route,
    caller: string | Browser | null,
    { query = true, body }: ExampleRequest = {},
  ): Promise<supertest.Response> {
    const operation = this.document.operation(route);
    const madeId = await this.makeFor(route, caller);
    const example = body ?? (await this.exampleBodyOf(route));
    const url = await this.urlOf(route, operation, query, madeId);
    const response = await this.sendAs(caller, route.method, url, example);
    if (route.path.includes(':key_id')) await this.api.as(MASTER).delete(`/api-keys/${madeId}`);
    if (route.path.includes(':endpoint_id')) await this.api.as(MASTER).delete(`/webhook-endpoints/${madeId}`);
    return response;
  }

  /** Makes a link to the example domain. @returns its code */
  async makeCode(scope: 'dns' | 'manage'): Promise<string> {
    const { body } = await this.makeLink(MASTER, scope).expect(201);
    return /#code=(.+)$/.exec((body as { url: string }).url)?.[1] ?? '';
  }

  private makeLink(caller: string | Browser | null, scope: 'dns' | 'manage'): supertest.Test {
    return this.sendAs(caller, 'post', '/portal-links', { domain: 'example.com', scope });
  }

  private async exampleBodyOf(route: Route): Promise<unknown> {
    if (route.path === '/sessions/preview') return { code: await this.makeCode('dns') };
    return this.document.operation(route).requestBody?.content['application/json']?.example;
  }

  private sendAs(
    caller: string | Browser | null,
    method: Route['method'],
    url: string,
    body?: unknown,
  ): supertest.Test {
    if (caller instanceof Browser) return caller.send(method, url, body);
    const request = supertest(this.api.url)[method](url).agent(KEPT_CONNECTIONS);
    if (caller !== null) request.set('Authorization', `Bearer ${caller}`);
    return request.send(body as object | undefined);
  }

  /** Makes the key, link, endpoint, suppression or message of the path. @returns its id; null for other routes */
  private async makeFor({ path }: Route, caller: string | Browser | null): Promise<number | string | null> {
    if (path.includes(':key_id')) return this.createKeyBelow(caller);
    if (path.includes(':endpoint_id')) return this.createEndpoint(path, caller);
    if (path.includes(':suppression_id')) return this.createSuppression();
    if (path.includes(':message')) return this.reportMessage();
    if (path === '/partners/:partner_ref/relay') await this.makeTenant();
    if (!path.includes(':link_id')) return null;
    const own = await this.makeLink(caller, 'dns');
    const { body } = own.status === 201 ? own : await this.makeLink(this.token, 'dns');
    return (body as { id: number }).id;
  }

  /** @returns the id of a new endpoint of the caller, or of the example key when the caller makes none */
  private async createEndpoint(path: string, caller: string | Browser | null): Promise<number> {
    this.endpoints += 1;
    const given = { url: `https://hooks${this.endpoints}.example.com/` };
    const own = await this.sendAs(caller, 'post', '/webhook-endpoints', given);
    const client = this.api.as(this.token);
    const { body } = own.status === 201 ? own : await client.post('/webhook-endpoints', given).expect(201);
    const { id } = body as { id: number };
    await this.api.container.get(EventPositioner).giveAll();
    if (path.endsWith('/redeliver')) await this.sendAs(caller, 'post', `/webhook-endpoints/${id}/confirm`);
    return id;
  }

  /** @returns the id of a suppression of the example domain, which may exist */
  private async createSuppression(): Promise<number> {
    const given = { address: 'lifted@elsewhere.example', domain: 'example.com' };
    const { body } = await this.api.as(this.token).post('/suppressions/', given);
    return (body as { id: number }).id;
  }

  private async deleteSuppressions(): Promise<void> {
    const master = this.api.as(MASTER);
    const { body } = await master.get(`/suppressions?partner_ref=${PARTNER}`);
    for (const { id } of body as { id: number }[]) await master.delete(`/suppressions/${id}`);
  }

  /** @returns the id of a new message of the example domain */
  private async reportMessage(): Promise<string> {
    const master = this.api.as(MASTER);
    const { items } = this.bodyOf('/outbound/trail') as { items: object[] };
    this.messages += 1;
    const recipient = `jane${this.messages}@example.org`;
    const at = this.api.clock.now().toISOString();
    await master.post('/outbound/trail', { items: items.map((item) => ({ ...item, at, recipient })) }).expect(202);
    const until = new Date(this.api.clock.now().getTime() + 1).toISOString();
    const { body } = await master.get(`/messages?recipient=${recipient}&until=${until}`).expect(200);
    return (body as { id: string }[])[0]?.id ?? '';
  }

  private async deleteEndpoints(): Promise<void> {
    const master = this.api.as(MASTER);
    for (const query of ['', `?partner_ref=${PARTNER}`]) {
      const { body } = await master.get(`/webhook-endpoints${query}`);
      for (const { id } of body as { id: number }[]) await master.delete(`/webhook-endpoints/${id}`);
    }
  }

  /** @returns the id of a new key below the key of the caller, or of the example key when the caller makes none. */
  private async createKeyBelow(caller: string | Browser | null): Promise<number> {
    const own = await this.sendAs(caller, 'post', '/me/keys');
    const { body } = own.status === 201 ? own : await this.api.as(this.token).post('/me/keys').expect(201);
    return (body as { id: number }).id;
  }

  /** Sends the example of the webhook, signed. @returns the status. */
  sendSigned(route: Route): Promise<number> {
    const { requestBody } = this.document.operation(route);
    return postSigned(this.api.url, requestBody?.content['application/json']?.example, { at: this.api.clock.now() });
  }

  private bodyOf(path: string): unknown {
    return this.document.operation({ method: 'post', path }).requestBody?.content['application/json']?.example;
  }

  private async urlOf(
    { path }: Route,
    { parameters }: Operation,
    query: NonNullable<ExampleRequest['query']>,
    madeId: number | string | null,
  ) {
    const given = new URLSearchParams(typeof query === 'object' ? query : {});
    let url = path;
    for (const { name, in: place, example, required } of parameters) {
      if (example === undefined) continue;
      const text = await this.valueOf(name, String(example), madeId);
      if (place === 'path') url = url.replace(`:${name}`, encodeURIComponent(text));
      if (place === 'query' && (query === true || required)) given.set(name, text);
    }
    return given.size === 0 ? url : `${url}?${given.toString()}`;
  }

  /** Creates and deletes another domain of the partner. */
  private async deletedId(): Promise<string> {
    const master = this.api.as(MASTER);
    this.deleted += 1;
    const name = `undo-${this.deleted}.example`;
    await master.post('/domains/', { name, partner_ref: PARTNER }).expect(201);
    await master.delete(`/domains/${name}`).expect(204);
    const { body } = await master.get(`/deleted?domain=${name}`).expect(200);
    return String((body as { id: number }[])[0]?.id);
  }

  /** The alias has another id after it was created anew, and the first key may be that of a caller. */
  private async valueOf(name: string, example: string, madeId: number | string | null): Promise<string> {
    if (MADE.has(name)) return String(madeId ?? example);
    if (name === 'token') return this.token;
    if (name === 'deleted_id') return this.deletedId();
    if (name !== 'alias') return example;
    const { body } = await this.api.as(MASTER).get('/aliases/?address=sales%40example.com');
    return String((body as { id: number }[])[0]?.id ?? example);
  }
}

async function echoed(_url: string, _headers: unknown, body: string): Promise<SendResult> {
  return { outcome: 'ok', status: 200, answer: body };
}
