import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MASTER, READ, startTestApi, type TestApi } from '../../testing/api-fixture.js';
import { Browser } from '../../testing/browser.js';
import { ExampleWorld } from '../../testing/example-world.js';
import { WEBHOOK_SECRET } from '../../testing/relay-events.js';
import type { Route } from '../route.js';

/** The requests that create what the other examples use. */
const FIRST = ['post /api-keys/', 'post /domains/', 'post /users/', 'post /aliases/'];
/** In this order each deletion still finds its resource. */
const LAST = [
  'delete /aliases/:alias',
  'delete /users/:email',
  'delete /domains/:domain_name',
  'delete /api-keys/:token',
];

const label = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;

/**
 * Sends the examples of the OpenAPI document as a reader of the reference would, each with the least powerful token.
 */
describe('the examples of the requests', () => {
  let api: TestApi;
  let world: ExampleWorld;
  let mail: string;

  beforeAll(async () => {
    mail = await mkdtemp(join(tmpdir(), 'mailstead-mail-'));
    const settings = { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET, MAIL_STORE: 'maildir', MAILDIR_ROOT: mail };
    api = await startTestApi('sqlite', settings);
    world = new ExampleWorld(api);
  });
  afterAll(async () => {
    await rm(mail, { recursive: true, force: true });
    await api.close();
  });

  it('succeed, in the order of a first visit, for the caller to whom they are shown', async () => {
    const others = api.routes.filter((route) => ![...FIRST, ...LAST].includes(label(route)));
    const ordered = [...FIRST.map(routeOf), ...others, ...LAST.map(routeOf)];
    expect(ordered).toHaveLength(api.routes.length);
    for (const route of ordered) {
      const status = route.raw
        ? await world.sendSigned(route)
        : (await world.send(route, await callerOf(route))).status;
      expect([label(route), status]).toEqual([label(route), route.status]);
    }
  });

  const session = async (): Promise<Browser> => {
    const browser = new Browser(api.url);
    await browser.enter(world.token);
    return browser;
  };

  const routeOf = (name: string) => {
    const route = api.routes.find((each) => label(each) === name);
    if (route === undefined) throw new Error(`There is no route ${name}`);
    return route;
  };

  async function callerOf({ access, path }: Route): Promise<string | Browser | null> {
    if (path === '/metrics') return READ;
    if (path === '/sessions') return world.token;
    if (path.startsWith('/sessions/')) return session();
    return { public: null, any: world.token, client: world.token, key: world.token, master: MASTER }[access];
  }
});
