import type { Route } from '../http/route.js';
import { MASTER, READ, type TestApi } from './api-fixture.js';
import { Browser } from './browser.js';
import type { ExampleWorld } from './example-world.js';

/** The requests that create what the other examples use. */
const FIRST = ['post /api-keys/', 'post /domains/', 'post /users/', 'post /aliases/', 'post /suppressions/'];
/** In this order each deletion still finds its resource. */
const LAST = [
  'delete /aliases/:alias',
  'delete /users/:email',
  'delete /domains/:domain_name',
  'delete /api-keys/:token',
];

const label = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;

/** The routes in the order of a first visit, in which the example of each one succeeds. A former release has fewer. */
export function inOrderOfVisit(routes: readonly Route[]): Route[] {
  const named = (names: readonly string[]) => names.flatMap((name) => routes.filter((route) => label(route) === name));
  const others = routes.filter((route) => ![...FIRST, ...LAST].includes(label(route)));
  return [...named(FIRST), ...others, ...named(LAST)];
}

/** Sends the example of a route for the least powerful caller to whom it is shown. */
export async function visit(
  api: TestApi,
  world: ExampleWorld,
  route: Route,
): Promise<{ status: number; type: string; text: string }> {
  if (route.raw) return { status: await world.sendSigned(route), type: '', text: '' };
  const { status, headers, text } = await world.send(route, await callerOf(api, world, route));
  return { status, type: (headers['content-type'] ?? '').split(';', 1)[0] ?? '', text };
}

async function callerOf(api: TestApi, world: ExampleWorld, { access, path }: Route): Promise<string | Browser | null> {
  if (path === '/metrics' || path === '/health/ready') return READ;
  if (path === '/sessions') return world.token;
  if (path.startsWith('/sessions/')) {
    const browser = new Browser(api.url);
    await browser.enter(world.token);
    return browser;
  }
  return { public: null, any: world.token, client: world.token, key: world.token, master: MASTER }[access];
}
