import { sampled } from '@mailstead/core/testing/sampled';
import { SEED } from '../../../../scripts/fast-check.mjs';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import type { Route } from './route.js';

/** What is the same for every caller. */
const STORED = ['/docs', '/docs/:file', '/openapi.json', '/portal/assets/*file'];
/** A file of each of those with a parameter. */
const EXAMPLES: Record<string, string> = {
  '/docs/:file': '/docs/start.js',
  '/portal/assets/*file': '/portal/assets/none.js',
};

/** The responses of the examples of all routes are checked too, in every suite (`documented-responses.ts`). */
describe('a cache', () => {
  let api: TestApi;
  let client: string;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    client = await api.key('acme');
  });
  afterAll(() => api.close());

  const pathOf = ({ path }: Route) => EXAMPLES[path] ?? path.replace(/:\w+/g, '999999').replace(/\*\w+/, 'home');
  const ask = async (method: string, path: string, token: string | null): Promise<[number, string | null]> => {
    const headers = { Accept: 'text/html', ...(token === null ? {} : { Authorization: `Bearer ${token}` }) };
    const response = await fetch(`${api.url}${path}`, { method, headers, redirect: 'manual' });
    await response.arrayBuffer();
    return [response.status, response.headers.get('cache-control')];
  };

  it('stores no answer of any route, with a right token, a wrong one or none', async () => {
    const routes = api.routes.filter(({ path }) => !STORED.includes(path));
    expect(routes.length).toBeGreaterThan(80);
    for (const [index, route] of routes.entries()) {
      for (const token of sampled([MASTER, client, 'wrong-token-0123456789', null], 2, SEED + index)) {
        const [, cached] = await ask(route.method.toUpperCase(), pathOf(route), token);
        expect([route.method, route.path, cached]).toEqual([route.method, route.path, 'no-store']);
      }
    }
  });

  it('stores no answer to HEAD, to another method, or for an unknown path', async () => {
    for (const [method, path, status] of [
      ['HEAD', '/domains/', 200],
      ['PATCH', '/domains/', 405],
      ['GET', '/nothing', 404],
      ['GET', '/docs/nothing.js', 404],
      ['GET', '/portal/assets/none.js', 404],
      ['POST', '/openapi.json', 405],
    ] as const) {
      expect([path, ...(await ask(method, path, MASTER))]).toEqual([path, status, 'no-store']);
    }
  });

  it('may store the reference and its document for five minutes', async () => {
    for (const path of ['/docs', '/docs/start.js', '/openapi.json']) {
      expect(await ask('GET', path, null)).toEqual([200, 'public, max-age=300']);
    }
  });
});
