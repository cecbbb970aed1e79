import type { DomainName } from '@mailstead/core/domains/domain-name';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import type { SuppressedAddress } from '@mailstead/core/suppressions/suppression-address';
import type { SuppressionFilter } from '@mailstead/core/suppressions/suppressions';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { fillLargeDatabase, SUPPRESSIONS } from '../testing/large-database.js';
import { queryPlansOf } from '../testing/query-plans.js';
import { SqlSuppressions } from './sql-suppressions.js';

const MARCH_15 = new Date('2026-03-15T12:00:00.000Z');
const FILTERS: SuppressionFilter[] = [
  {},
  { begins: 's7' },
  { reason: 'bounce' },
  { domain: 'd7.example' as DomainName },
  { domain: 'd7.example' as DomainName, reason: 'manual', begins: 's' },
];

/** On a database large enough for realistic query plans: 60,000 suppressions of 200 partners. */
describe('the statements about suppressions', () => {
  let opened: TestDatabase;
  let suppressions: SqlSuppressions;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    await fillLargeDatabase(opened.database);
    suppressions = new SqlSuppressions(opened.database);
  });
  afterAll(() => opened.close());

  const addresses = (count: number) =>
    Array.from({ length: count }, (_, index) => `s${index}@out.example` as SuppressedAddress);
  const look = (recipients: number, domains: number) =>
    suppressions.suppressed(
      addresses(recipients).map((address, index) => {
        return { partnerId: 2 + (index % domains), domainId: 1 + (index % domains), address };
      }),
      MARCH_15,
    );
  /** What events find, of a partner that has room for `most`. */
  const events = (count: number, most: number) =>
    new SqlUnitOfWork(opened.database).run(() =>
      suppressions.addFromEvents(
        9,
        addresses(count).map((address) => {
          return { partnerId: 9, domainId: 7, address, reason: 'bounce', since: MARCH_15, expiresAt: MARCH_15 };
        }),
        { now: new Date(0), most },
      ),
    );
  const search = (filter: SuppressionFilter) =>
    suppressions.search(allRowsOf(9), filter, MARCH_15)({ after: 0, limit: 51 });

  it.each<[string, number, () => Promise<unknown>]>([
    ['one recipient', 4, () => look(1, 1)],
    // Two ranges of the unique key for each: of its domain and of its partner.
    ['200 recipients of 50 domains', 400, () => look(200, 50)],
    ['the oldest bounces of a partner', 400, () => events(1, 0)],
    ['the rows of 100 recipients', 300, () => events(100, SUPPRESSIONS)],
    ['the partners with expired rows', 500, () => suppressions.partnersWithExpired(MARCH_15, 500)],
    ...FILTERS.map((filter): [string, number, () => Promise<unknown>] => [
      JSON.stringify(filter),
      SUPPRESSIONS / 100,
      () => search(filter),
    ]),
  ])('find %s by an index, and read at most %d rows', async (_, most, work) => {
    const plans = (await queryPlansOf(opened.database, work)).filter(
      ({ table }) => !table.startsWith('<') && table !== 'null',
    );
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter(({ type, rows }) => type === 'ALL' || type === 'index' || rows > most)).toEqual([]);
  });

  it.each([1, 20, 160])(
    'a preview of %d recipients looks their ranges up in the unique key alone',
    async (recipients) => {
      const plans = await queryPlansOf(opened.database, () => look(recipients, Math.min(recipients, 100)));
      expect(plans.map(({ candidates }) => candidates)).toEqual([['uq_suppression_address']]);
    },
  );
});
