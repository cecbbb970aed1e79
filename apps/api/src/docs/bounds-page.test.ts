import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';

const DOCUMENT = fileURLToPath(new URL('../../../../docs/operations.md', import.meta.url));

describe('what a caller can make', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
  });
  afterAll(() => api.close());

  /** The routes of the table in docs/operations.md, and the bound of each. */
  function statedBounds(): [route: string, bound: string][] {
    const [, section = ''] = readFileSync(DOCUMENT, 'utf8').split('### What a caller can make');
    const rows = section.split('\n## ', 1)[0]?.matchAll(/^\| (`.+`) \| .+ \| (.+) \|$/gm) ?? [];
    return [...rows].flatMap(([, routes = '', bound = '']) =>
      [...routes.matchAll(/`([A-Z]+ \/[^`]*)`/g)].map(([, route = '']): [string, string] => [route, bound]),
    );
  }

  it('has a stated bound for every POST route of the OpenAPI document, once', () => {
    const posts = api.routes
      .filter(({ method }) => method === 'post')
      .map(({ path }) => `POST ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    const stated = statedBounds();
    expect(posts.length).toBeGreaterThan(20);
    expect(stated.filter(([, bound]) => bound.trim() === '')).toEqual([]);
    const routes = stated.map(([route]) => route).filter((route) => route.startsWith('POST '));
    expect(routes.sort()).toEqual(posts.sort());
  });
});
