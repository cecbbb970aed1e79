import { join } from 'node:path';
import { onEachDatabase, openTestDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { fillManyDomains, LARGE_PARTNER } from '@mailstead/adapters/database/testing/many-domains';
import { pagesAndRowsOf, type ReadCost, stepsOf } from '@mailstead/adapters/database/testing/read-cost';
import { startServices } from '../../../../scripts/services.mjs';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { type ListEntry, listsOf, PAGED_LISTS } from '../testing/list-entries.js';

const FEW = 1_000;
const MANY = 100_000;
const PAGE = 50;
/** A tree of an index of many rows has another level, and more rows between those that a filter finds. */
const FACTOR = 3;
/**
 * What a search of one filter reads at most before its page: 1,000 entries of an index, or 500 rows, each by its id,
 * which is a page of each level of the index. A list that reads all its rows costs 100,000 and more on MariaDB, and
 * 400,000 on SQLite.
 */
const SLACK = { sqlite: 40_000, mariadb: 4_000 };
/** What the count of 20,000 rows reads more: their entries in an index, and perhaps each row and what it depends on. */
const COUNTED = { sqlite: 3_000_000, mariadb: 700_000 };
/** What the state of a domain depends on: its parent, its partner, their verifications, counters and reasons. */
const STATE = { sqlite: 500, mariadb: 60 };
/** Rows whose states are read for a page, and for a number of rows. */
const STATES = { page: 500, total: 20_000 };
const ORDERS = ['asc', 'desc'];
const PARTS = [null, 0.5, 0.98];
/** As in `npm test`: without waiting for the disk. */
const QUICK_DISK = [
  '--innodb-flush-log-at-trx-commit=2',
  '--innodb-flush-method=nosync',
  '--innodb-buffer-pool-size=1G',
  '--innodb-stats-auto-recalc=0',
];

interface World {
  api: TestApi;
  cost: ReadCost;
  token: string;
  domains: number;
}

onEachDatabase((kind) => {
  let services: Awaited<ReturnType<typeof startServices>> | null = null;
  const worlds: World[] = [];
  const given = process.env.MAILSTEAD_TEST_MARIADB_URL;

  beforeAll(async () => {
    if (kind === 'mariadb') {
      // Its counters are those of the whole server.
      const own = await startServices({ mariadb: true, mariadbOptions: QUICK_DISK });
      services = own;
      process.env.MAILSTEAD_TEST_MARIADB_URL = own.mariadbUrl;
    }
    for (const domains of [FEW, MANY]) {
      const opened = await openTestDatabase(kind);
      await fillManyDomains(opened.database, domains);
      const api = await startTestApi(kind, {}, {}, null, opened);
      const token = await api.key(`p${LARGE_PARTNER}`, { domains_allowed: 0 });
      const cost =
        opened.url === null
          ? stepsOf(opened.database, join(opened.dataDir, 'mailstead.sqlite'))
          : await pagesAndRowsOf(opened.url);
      worlds.push({ api, cost, token, domains });
    }
  });
  afterAll(async () => {
    for (const { api, cost } of worlds) {
      await cost.close();
      await api.close();
    }
    await services?.stop();
    process.env.MAILSTEAD_TEST_MARIADB_URL = given;
  });

  it.each(Object.entries(PAGED_LISTS))(
    `a page of %s on ${kind} costs the same with ${MANY} domains as with ${FEW}`,
    async (path, entry) => {
      const [small, large] = worlds;
      if (small === undefined || large === undefined) throw new Error('There are no worlds');
      const isOrdered = listsOf(small.api).get(path)?.includes('order') === true;
      const dear: unknown[] = [];
      for (const call of callsOf(entry, isOrdered)) {
        const few = await costOf(small, path, entry, call);
        const many = await costOf(large, path, entry, call);
        if (many > FACTOR * few + slackOf(call)) dear.push({ ...call, few, many });
      }
      expect(dear).toEqual([]);
    },
  );

  function slackOf({ query }: Call): number {
    const states = 'state' in query ? STATE[kind] * ('total' in query ? STATES.total : STATES.page) : 0;
    return SLACK[kind] + ('total' in query ? COUNTED[kind] : 0) + states;
  }

  async function costOf({ api, cost, token, domains }: World, path: string, entry: ListEntry, call: Call) {
    const query = new URLSearchParams({ limit: String(PAGE), ...call.query });
    if (call.part !== null) {
      const part = call.query.order === 'desc' ? 1 - call.part : call.part;
      query.set('after', String(entry.after(domains, part)));
    }
    const url = `${path.replace('{domain_name}', 'd1.example')}?${query}`;
    const caller = api.as(call.caller === 'client' ? token : MASTER);
    const { cost: pages } = await cost.of(() => caller.get(url).expect(200).then());
    return pages;
  }
});

interface Call {
  caller: 'client' | 'operator';
  query: Record<string, string>;
  part: number | null;
}

/**
 * Each filter alone and none, in each order, at the beginning, in the middle and near the end; and each with the number
 * of rows, which does not depend on the page.
 */
function callsOf({ filters: { total, ...filters }, also = [], only }: ListEntry, isOrdered: boolean): Call[] {
  const conditions = [{}, ...Object.entries(filters).map(([name, value]) => ({ [name]: value })), ...also];
  const counted = total === undefined ? [] : conditions.map((condition) => ({ ...condition, total }));
  const callers = (['client', 'operator'] as const).filter((caller) => only === undefined || only === caller);
  return callers.flatMap((caller): Call[] => [
    ...conditions.flatMap((condition) =>
      (isOrdered ? ORDERS : ['']).flatMap((order) =>
        PARTS.map((part) => ({ caller, query: order === '' ? condition : { ...condition, order }, part })),
      ),
    ),
    ...counted.map((query) => ({ caller, query, part: null })),
  ]);
}
