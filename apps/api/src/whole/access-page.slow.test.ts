import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { templateOf } from '../http/openapi/document.js';
import { TAGS } from '../http/openapi/tags.js';
import type { Route } from '../http/route.js';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';
import { type ExampleRequest, ExampleWorld } from '../testing/example-world.js';
import { WEBHOOK_SECRET } from '../testing/relay-events.js';

const PAGE = fileURLToPath(new URL('../../../../docs/access.md', import.meta.url));
const CALLERS = [
  'no token',
  'client, own',
  'made key',
  'key, read',
  'key, domain',
  'client, other',
  'master',
  'policy',
  'billing',
  'read',
] as const;
type CallerName = (typeof CALLERS)[number] | SessionName;
/** Callers with a session, each opened anew for a request. */
const SESSIONS = ['session of a key', 'session of master', 'dns link', 'manage link'] as const;
type SessionName = (typeof SESSIONS)[number];

/** Requests whose fields or parameters decide, beside the example of the route. */
const SPECIAL: [method: Route['method'], path: string, shown: string, request: ExampleRequest][] = [
  ['get', '/usage', 'with `day`', { query: { day: '2026-03-01' } }],
  ['get', '/aliases/', 'with `address`', { query: { address: 'sales@example.com' } }],
  ['get', '/suppressions/', 'with `domain`', { query: { domain: 'example.com' } }],
  ['post', '/domains/', 'with `partner_ref`', { body: { name: 'example.com', partner_ref: 'acme' } }],
  ['put', '/domains/:domain_name/suspend', 'with the cause `billing`', { body: { cause: 'billing' } }],
  ['put', '/domains/:domain_name/suspend', 'with the cause `abuse`', { body: { cause: 'abuse' } }],
  ['put', '/domains/:domain_name/activate', 'with the cause `billing`', { body: { cause: 'billing' } }],
  ['put', '/domains/:domain_name/activate', 'with the cause `abuse`', { body: { cause: 'abuse' } }],
  ['put', '/partners/:partner_ref/suspend', 'with the cause `abuse`', { body: { cause: 'abuse' } }],
  ['put', '/partners/:partner_ref/activate', 'with the cause `abuse`', { body: { cause: 'abuse' } }],
  ['put', '/domains/:domain_name/outbound', 'with `outbound_tier`', { body: { outbound_tier: 'basic' } }],
  ['put', '/domains/:domain_name/outbound', 'with `outbound_status`', { body: { outbound_status: 'active' } }],
  ['put', '/api-keys/:token', 'with `expires_at`', { body: { expires_at: null } }],
  ['put', '/api-keys/:token', 'with `name`', { body: { name: 'Shop' } }],
];

/** The query of routes that need one of two parameters. */
const NEEDED_QUERY: Record<string, Record<string, string>> = { '/usage': { month: '2026-03' } };
/** Bodies of routes whose example has fields that only some of their callers may set: here the fields of them all. */
const COMMON_BODY: Record<string, object> = { 'put /api-keys/:token': { domains_allowed: 10, active: true } };
/** Routes that create the domain of a link: it stays, because the link ends with it. A link may not create one. */
const CREATES_DOMAINS = ['/domains/', '/domains/bulk'];

const INTRODUCTION = `# Who may use which route

\`npm run access-page\` writes this page: it calls every route with every kind of token. A test fails when the page is old.

- **yes**: the request succeeds. **own only**: the list has only the partner's own rows. **401**, **403**, **404**: it is refused with this status.
- *client, own* is a key of the partner that has the domain, the mailbox and the alias of the request; *client, other* is a key of another
  partner. To it they do not exist. *made key* was made by *client, own*, *key, read* has the scope \`read\`, and
  *key, domain* is limited to the domain of the request. *policy*, *billing* and *read* are operator tokens.
- *session of a key* is one of *client, own*. *dns link* and *manage link* are sessions that such links to the domain of the request opened.
- A new name can be created by every client, so *client, other* may create the example domain, which does not exist then.
`;

const isSession = (name: CallerName): name is SessionName => SESSIONS.some((session) => session === name);

describe('docs/access.md', () => {
  let api: TestApi;
  let world: ExampleWorld;
  let tokens: Record<(typeof CALLERS)[number], string | null>;
  let mail: string;
  let isChanged = true;

  beforeAll(async () => {
    mail = await mkdtemp(join(tmpdir(), 'mailstead-mail-'));
    const settings = { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET, MAIL_STORE: 'maildir', MAILDIR_ROOT: mail };
    api = await startTestApi('sqlite', settings);
    world = new ExampleWorld(api);
    const own = await api.key('acme');
    const createKey = async (token: string): Promise<string> =>
      (await api.as(token).post('/me/keys').expect(201)).body.token as string;
    tokens = {
      'no token': null,
      'client, own': own,
      'made key': await createKey(own),
      'key, read': await api.key('acme', { scope: 'read' }),
      'key, domain': await api.key('acme'),
      'client, other': await api.key('rival'),
      master: MASTER,
      policy: POLICY,
      billing: BILLING,
      read: READ,
    };
  });
  afterAll(async () => {
    await rm(mail, { recursive: true, force: true });
    await api.close();
  });

  it('is what every kind of token gets on every route (otherwise run `npm run access-page`)', async () => {
    const sections: string[] = [];
    for (const { name } of TAGS) {
      const routes = api.routes.filter((route) => world.document.operation(route).tags.includes(name));
      const rows = [];
      for (const route of routes)
        rows.push(
          await rowOf(route, '', {
            query: NEEDED_QUERY[route.path] ?? false,
            body: COMMON_BODY[`${route.method} ${route.path}`],
          }),
          ...(await specialRowsOf(route)),
        );
      sections.push(`## ${name}\n\n${tableHead()}\n${rows.sort().join('\n')}\n`);
    }
    const page = [INTRODUCTION, ...sections].join('\n');
    if (process.env.MAILSTEAD_WRITE_ACCESS_PAGE === 'yes') await writeFile(PAGE, page);
    expect(page).toBe(await readFile(PAGE, 'utf8'));
  });

  const names: CallerName[] = [...CALLERS, ...SESSIONS];
  const tableHead = () => `| route | ${names.join(' | ')} |\n| --- |${' --- |'.repeat(names.length)}`;

  async function specialRowsOf(route: Route): Promise<string[]> {
    const rows = [];
    for (const [method, path, shown, request] of SPECIAL) {
      if (method === route.method && path === route.path) rows.push(await rowOf(route, `, ${shown}`, request));
    }
    return rows;
  }

  async function rowOf(route: Route, shown: string, request: ExampleRequest): Promise<string> {
    const cells = [];
    for (const name of names) cells.push(await cellOf(route, name, request));
    return `| \`${route.method.toUpperCase()} ${templateOf(route)}\`${shown} | ${cells.join(' | ')} |`;
  }

  async function cellOf(route: Route, name: CallerName, request: ExampleRequest): Promise<string> {
    if (isChanged) {
      await world.prepare();
      // A domain that was created again is not in the list.
      await api
        .as(MASTER)
        .put(`/api-keys/${tokens['key, domain']}`, { domains: ['example.com'] })
        .expect(200);
    }
    // Room is made for a creation.
    isChanged = route.method === 'post';
    const caller = isSession(name) ? await enter(name, route) : tokens[name];
    if (!name.endsWith('link') || !CREATES_DOMAINS.includes(route.path)) await world.makeRoomFor(route);
    if (route.raw) return wordOf(route, await world.sendSigned(route));
    const { status, body } = await world.send(route, caller, request);
    isChanged ||= route.method !== 'get' && status < 300;
    const isEmpty = Array.isArray(body) && body.length === 0;
    if (status !== 200 || !isEmpty) return wordOf(route, status);
    const { body: all } = await world.send(route, MASTER, request);
    return (all as unknown[]).length === 0 ? 'yes' : 'own only';
  }

  async function enter(name: SessionName, { path }: Route): Promise<Browser> {
    const browser = new Browser(api.url);
    if (name === 'session of a key') await browser.enter(tokens['client, own']);
    else if (name === 'session of master') await browser.enter(MASTER);
    else await browser.enter(null, { code: await world.makeCode(name === 'dns link' ? 'dns' : 'manage') });
    expect([path, name, browser.id > 0]).toEqual([path, name, true]);
    return browser;
  }

  function wordOf(route: Route, status: number): string {
    if ([401, 403, 404].includes(status)) return String(status);
    expect([route.method, route.path, status]).toEqual([route.method, route.path, route.status]);
    return 'yes';
  }
});
