import { readFileSync } from 'node:fs';
import { templateOf } from '../http/openapi/document.js';
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
});
