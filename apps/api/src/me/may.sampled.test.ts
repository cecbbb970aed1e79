import { readFileSync } from 'node:fs';
import { sampled } from '@mailstead/core/testing/sampled';
import type supertest from 'supertest';
import { SEED } from '../../../../scripts/fast-check.mjs';
import { templateOf } from '../http/openapi/document.js';
import { operationIdOf } from '../http/openapi/operation.js';
import type { Route } from '../http/route.js';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';

const PAGE = readFileSync(new URL('../../../../docs/access.md', import.meta.url), 'utf8');
const DOMAIN = 'may.example';

/** What a caller is refused for what it is, on whatever a request contains. */
/** The scope `policy` looks up addresses alone, and a limited key must name a domain. */
const QUERIES: Record<string, string> = {
  '/aliases/': `?address=info@${DOMAIN}`,
  '/suppressions/': `?domain=${DOMAIN}`,
};
const REFUSALS = [
  'master_token_required',
  'scope_not_allowed',
  'client_token_required',
  'link_not_allowed',
  'key_read_only',
  'key_limited_to_domains',
  'partner_suspended',
];

/** What a key may do while its partner is suspended, besides reading. */
const WHILE_SUSPENDED = ['deleteSessionsSession', 'postSessions', 'postSessionsPreview', 'postWebhooksRelay'];

describe('`may` of GET /me', () => {
  let api: TestApi;
  /** Sends a request of each kind of caller, by its name in docs/access.md. */
  let callers: Record<string, (method: Route['method'], path: string) => supertest.Test>;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    const own = await api.key('acme');
    await api.as(own).post('/domains/', { name: DOMAIN }).expect(201);
    const made = (await api.as(own).post('/me/keys').expect(201)).body.token as string;
    const limited = await api.key('acme', { domains: [DOMAIN] });
    const read = await api.key('acme', { scope: 'read' });
    const suspended = await api.key('late');
    await api.as(MASTER).put('/partners/late/suspend', { stage: 'changes' }).expect(200);
    const byLink = async (scope: string): Promise<Browser> => {
      const { body } = await api.as(own).post('/portal-links', { domain: DOMAIN, scope }).expect(201);
      const browser = new Browser(api.url);
      const code = new URL(body.url as string, api.url).hash.replace('#code=', '');
      expect((await browser.enter(null, { code })).status).toBe(201);
      return browser;
    };
    const session = new Browser(api.url);
    await session.enter(own);
    const [dns, manage] = [await byLink('dns'), await byLink('manage')];
    const ofToken = (token: string) => (method: Route['method'], path: string) => api.as(token)[method](path);
    const ofBrowser = (browser: Browser) => (method: Route['method'], path: string) => browser.send(method, path);
    callers = {
      'client, own': ofToken(own),
      'made key': ofToken(made),
      'key, read': ofToken(read),
      'key, domain': ofToken(limited),
      master: ofToken(MASTER),
      policy: ofToken(POLICY),
      billing: ofToken(BILLING),
      read: ofToken(READ),
      'session of a key': ofBrowser(session),
      'dns link': ofBrowser(dns),
      'manage link': ofBrowser(manage),
      'suspended partner': ofToken(suspended),
    };
  });
  afterAll(() => api.close());

  const send = async (name: string, method: Route['method'], path: string) => {
    const call = callers[name];
    if (call === undefined) throw new Error(`There is no caller ${name}`);
    return (await call(method, path)).body as { may: string[]; caller: { may: string[] }; code?: string };
  };
  const mayOf = async (name: string) => (await send(name, 'get', '/me')).may;

  it('lists what docs/access.md does not refuse with 403, for each of its callers', async () => {
    const names = (/^\| route \| (.*) \|$/m.exec(PAGE)?.[1] ?? '').split(' | ');
    const routes = new Map(api.routes.map((route) => [`${route.method.toUpperCase()} ${templateOf(route)}`, route]));
    const documented = new Map<string, Set<string>>();
    // A route has more rows for requests with some field, such as a cause. One that is served is enough.
    for (const [, shown = '', cells = ''] of PAGE.matchAll(/^\| `([A-Z]+ \/[^`]*)`[^|]* \| (.*) \|$/gm)) {
      for (const [index, cell] of cells.split(' | ').entries()) {
        const route = routes.get(shown);
        const name = names[index] ?? '';
        if (route === undefined) throw new Error(`There is no route ${shown}`);
        // The few routes that accept no session are listed for it as for a key of the partner.
        const decisive = cell === '401' ? cells.split(' | ')[names.indexOf('client, own')] : cell;
        if (decisive !== '403') documented.set(name, (documented.get(name) ?? new Set()).add(operationIdOf(route)));
      }
    }
    const compared = names.filter((name) => name in callers);
    expect(compared).toHaveLength(11);
    for (const name of compared)
      expect([name, (await mayOf(name)).toSorted()]).toEqual([name, [...(documented.get(name) ?? [])].toSorted()]);
  });

  it('leaves out what is refused to the caller for what it is, and nothing else, on every route', async () => {
    const path = ({ path: pattern }: Route) =>
      pattern.replace(':domain_name', DOMAIN).replace(':partner_ref', 'nobody').replaceAll(/:\w+/g, 'absent');
    const mays = new Map<string, string[]>();
    for (const name of Object.keys(callers)) mays.set(name, await mayOf(name));
    for (const [index, route] of api.routes.filter(({ access }) => access !== 'public').entries()) {
      for (const [name, may] of sampled([...mays], 2, SEED + index)) {
        // The resources stay for the other callers. What a deletion is refused for is in docs/access.md.
        const subject = route.method === 'get' ? path(route) : path(route).replace(DOMAIN, 'absent.example');
        const target = subject + (QUERIES[subject] ?? '');
        const { code = '' } = await send(name, route.method, target);
        const isRefused = REFUSALS.includes(code);
        expect([name, operationIdOf(route), isRefused]).toEqual([
          name,
          operationIdOf(route),
          !may.includes(operationIdOf(route)),
        ]);
      }
    }
  });

  it('is in the session too, and is decided anew for each request: a suspension of the partner leaves the reads', async () => {
    const read = async () => (await send('session of a key', 'get', '/sessions/current')).caller.may;
    const before = await read();
    expect(before).toContain('postDomains');
    await api.as(MASTER).put('/partners/acme/suspend', { stage: 'changes' }).expect(200);
    expect(await read()).toEqual(before.filter((id) => id.startsWith('get') || WHILE_SUSPENDED.includes(id)));
    await api.as(MASTER).put('/partners/acme/activate', { cause: 'operator' }).expect(200);
    expect(await read()).toEqual(before);
  });
});
