import { readFileSync } from 'node:fs';
import { templateOf } from '../http/openapi/document.js';
import { TAGS, tagOf } from '../http/openapi/tags.js';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';

const PAGE = readFileSync(new URL('../../../../docs/access.md', import.meta.url), 'utf8');

describe('docs/access.md', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
  });
  afterAll(() => api.close());

  it('has a row for each route, and no other (otherwise run `npm run access-page`)', () => {
    const served = api.routes.map(({ method, path }) => `${method.toUpperCase()} ${templateOf({ path })}`);
    const documented = [...PAGE.matchAll(/^\| `([A-Z]+ \/[^`]*)`/gm)].map(([, route = '']) => route);
    expect([...new Set(documented)].toSorted()).toEqual(served.toSorted());
  });

  it('has the rows in the order of the reference, below the group of each (otherwise run `npm run access-page`)', () => {
    const documented = PAGE.split(/^## /m)
      .slice(1)
      .map((section) => {
        const [group = '', ...lines] = section.split('\n');
        const routes = lines.flatMap((line) => /^\| `([A-Z]+ \/[^`]*)`/.exec(line)?.[1] ?? []);
        return [group, [...new Set(routes)]] as const;
      });
    const served = TAGS.map(({ name }) => {
      const routes = api.routes.filter((route) => tagOf(route) === name);
      return [name, routes.map(({ method, path }) => `${method.toUpperCase()} ${templateOf({ path })}`)] as const;
    });
    const sorted = (groups: readonly (readonly [string, readonly string[]])[]) =>
      groups.map(([group, routes]) => [group, routes.toSorted()]);
    expect(sorted(documented)).toEqual(sorted(served));
  });
});
