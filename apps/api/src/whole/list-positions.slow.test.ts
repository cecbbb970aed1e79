import { join } from 'node:path';
import { onEachDatabase, openTestDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { fillManyDomains, LARGE_PARTNER } from '@mailstead/adapters/database/testing/many-domains';
import { type ReadCost, rowsOf, stepsOf } from '@mailstead/adapters/database/testing/read-cost';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { type ListEntry, listsOf, PAGED_LISTS } from '../testing/list-entries.js';

const DOMAINS = 3_000;
const PAGE = 20;
const POSITIONS = [0.37, 0.93];
/** Not all rows cost the same: some have no parent, and the last rows of a list are few. */
const FACTOR = 1.5;
/** A list that skips the rows before its page reads a thousand and more of them; a row takes several steps. */
const SLACK = { mariadb: 300, sqlite: 1_500 };

onEachDatabase((kind) => {
  let api: TestApi;
  let cost: ReadCost;
  let token: string;

  beforeAll(async () => {
    const opened = await openTestDatabase(kind);
    await fillManyDomains(opened.database, DOMAINS);
    api = await startTestApi(kind, {}, {}, null, opened);
    token = await api.key(`p${LARGE_PARTNER}`, { domains_allowed: 0 });
    cost =
      opened.url === null
        ? stepsOf(opened.database, join(opened.dataDir, 'mailstead.sqlite'))
        : await rowsOf(opened.database, opened.url);
  });
  afterAll(async () => {
    await cost.close();
    await api.close();
  });

  it.each(Object.entries(PAGED_LISTS))(
    `a page of %s on ${kind} reads as much anywhere in the list as at its beginning`,
    async (path, entry) => {
      const orders = listsOf(api).get(path)?.includes('order') === true ? ['asc', 'desc'] : ['asc'];
      const { total: _, ...filters } = entry.filters;
      const conditions = [{}, ...Object.entries(filters).map(([name, value]) => ({ [name]: value }))];
      const dear: unknown[] = [];
      for (const caller of ['client', 'operator'] as const) {
        if (entry.only !== undefined && entry.only !== caller) continue;
        for (const condition of conditions) {
          for (const order of orders) {
            const query = { ...condition, ...(orders.length === 1 ? {} : { order }) };
            const read = (part: number | null) => costOf(path, entry, { caller, query, part });
            const first = await read(null);
            for (const part of POSITIONS) {
              const later = await read(part);
              if (later > FACTOR * first + SLACK[kind]) dear.push({ caller, ...query, part, first, later });
            }
          }
        }
      }
      expect(dear).toEqual([]);
    },
  );

  interface Call {
    caller: 'client' | 'operator';
    query: Record<string, string>;
    /** Null: the first page. */
    part: number | null;
  }

  async function costOf(path: string, entry: ListEntry, { caller, query, part }: Call): Promise<number> {
    const parameters = new URLSearchParams({ limit: String(PAGE), ...query });
    if (part !== null) parameters.set('after', String(entry.after(DOMAINS, query.order === 'desc' ? 1 - part : part)));
    const url = `${path.replace('{domain_name}', 'd1.example')}?${parameters}`;
    const as = api.as(caller === 'client' ? token : MASTER);
    return (await cost.of(() => as.get(url).expect(200).then())).cost;
  }
});
