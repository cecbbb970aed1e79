import { startTestApi, type TestApi } from './api-fixture.js';
import { listsOf, OTHER_LISTS, PAGED_LISTS } from './list-entries.js';

const PAGING = new Set(['limit', 'after', 'order']);

describe('the lists whose costs are compared', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
  });
  afterAll(() => api.close());

  it('are every list of the API, except those with a reason', () => {
    const listed = [...Object.keys(PAGED_LISTS), ...Object.keys(OTHER_LISTS)];
    expect(listed.toSorted()).toEqual([...listsOf(api).keys()].toSorted());
  });

  it('have a value for every filter', () => {
    const lists = listsOf(api);
    for (const [path, { filters }] of Object.entries(PAGED_LISTS)) {
      const wanted = lists.get(path)?.filter((name) => !PAGING.has(name)) ?? [];
      expect([path, Object.keys(filters).toSorted()]).toEqual([path, wanted.toSorted()]);
    }
  });
});
