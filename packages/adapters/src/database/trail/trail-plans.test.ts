import { DAY_MS, HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { allRowsOf, type PartnerScope } from '@mailstead/core/partners/partner-scope';
import { keptDays } from '@mailstead/core/trail/trail-options';
import { newTrailRow } from '@mailstead/core/trail/trail-row';
import { rowKeyOf } from '@mailstead/core/trail/trail-step';
import type { RefusedRows, TrailFilter } from '@mailstead/core/trail/trail-store';
import type { Parameter, Row } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlTrailStore } from './trail-store.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const DAYS = keptDays({ trailDays: 5 }, NOW);

/** With several partners and domains, whose rows are spread over the days. */
onEachDatabase((kind) => {
  let opened: TestDatabase;
  let store: SqlTrailStore;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    store = new SqlTrailStore(opened.database);
    await store.keepDays(DAYS);
    const rows = Array.from({ length: 6_000 }, (_, index) => {
      const recipient = `r${index % 100}@elsewhere.example`;
      const domain = `d${index % 50}.example` as DomainName;
      const step = {
        host: 'mx',
        queueId: `Q${index}`,
        at: new Date(NOW.getTime() - index * 60_000),
        step: 'accepted' as const,
        direction: 'out' as const,
        domain,
        sender: `s${index % 200}@${domain}`,
        recipient,
        size: 1,
        messageId: `<${index % 1_000}@list>`,
        reason: null,
        detail: null,
      };
      return newTrailRow(rowKeyOf(`mx-Q${index}`, recipient, 'out'), step, {
        domainId: 1 + (index % 50),
        partnerId: 1 + (index % 10),
      });
    });
    await new SqlUnitOfWork(opened.database).run(() => store.save(rows));
  });
  afterAll(() => opened.close());

  /** The plans of the reads of trails, as text. */
  async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
    const { database } = opened;
    const read = database.read.bind(database);
    const statements: [string, Parameter[]][] = [];
    database.read = async <R = Row>(sql: string, parameters: Parameter[]) => {
      if (/FROM trail/.test(sql)) statements.push([sql, parameters]);
      return read<R>(sql, parameters);
    };
    await work();
    database.read = read;
    const explain = kind === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN PARTITIONS';
    const plans = statements.map(async ([sql, parameters]) =>
      JSON.stringify(await read(`${explain} ${sql.replace(' FOR UPDATE', '')}`, parameters)),
    );
    return Promise.all(plans);
  }

  const search = (filter: Partial<TrailFilter>, scope: PartnerScope) =>
    store.search(scope, { since: new Date(NOW.getTime() - 4 * DAY_MS), until: NOW, ...filter }, null, 500);
  const domain = 'd3.example' as DomainName;
  const own = allRowsOf(4);

  it.each<[string, Partial<TrailFilter>, PartnerScope]>([
    ['domain', { domain }, own],
    ['domain', { domain, state: 'stored' }, 'all'],
    ['mailbox', { mailbox: 's3@d3.example' }, 'all'],
    ['recipient', { recipient: 'r3@elsewhere.example' }, own],
    ['message', { messageId: '<3@list>' }, own],
    ['partner', { since: new Date(NOW.getTime() - 20 * HOUR_MS) }, own],
    ['partner', { domain, isShared: true }, own],
    ['mailbox', { mailbox: 's3@d3.example', isShared: true }, 'all'],
  ])('reads a list in the order of the index for %s: %j', async (index, filter, scope) => {
    const plans = await plansOf(() => search(filter, scope));
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      expect(plan).toMatch(kind === 'sqlite' ? new RegExp(`ix_trail_\\d+_${index}\\b`) : `"ix_trail_${index}"`);
      expect(plan).not.toMatch(/filesort|TEMP B-TREE/);
    }
  });

  it.each<[string, Partial<TrailFilter>]>([
    ['recipient', { recipient: 'r3@elsewhere.example' }],
    ['message', { messageId: '<3@list>' }],
  ])('of an operator reads the rows with this %s, and no others', async (index, filter) => {
    for (const plan of await plansOf(() => search(filter, 'all'))) expect(plan).toMatch(`_${index}`);
  });

  it.each<[string, RefusedRows]>([
    ['domain', { domain, direction: 'in', since: new Date(NOW.getTime() - MINUTE_MS), until: NOW }],
    ['mailbox', { mailbox: 's3@d3.example', direction: 'out', since: new Date(NOW.getTime() - HOUR_MS), until: NOW }],
  ])('counts the refused ones by the index for %s: %j', async (index, rows) => {
    const plans = await plansOf(() => store.countRefused(rows, 20));
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      expect(plan).toMatch(kind === 'sqlite' ? new RegExp(`ix_trail_\\d+_${index}\\b`) : `"ix_trail_${index}"`);
      expect(plan).not.toMatch(/filesort|TEMP B-TREE/);
    }
  });

  it('of all partners is read in the order of the key', async () => {
    const plans = await plansOf(() => search({}, 'all'));
    for (const plan of plans) {
      expect(plan).toMatch(/PRIMARY|autoindex/);
      expect(plan).not.toMatch(/filesort|TEMP B-TREE/);
    }
  });

  it('finds the rows of a report, those of the relay and one row by their indexes', async () => {
    const keys = new Map([rowKeyOf('mx-Q1', 'r1@elsewhere.example', 'out'), 'x'.repeat(22)].map((key) => [key, 0]));
    for (const plan of await plansOf(() => store.lockRows(keys, DAYS))) expect(plan).toMatch(/ix_trail_(\d+_)?key/);
    for (const plan of await plansOf(() => store.lockRelayed(['a', 'b'], DAYS)))
      expect(plan).toMatch(/ix_trail_(\d+_)?relay/);
    const [row] = (await search({}, 'all')).rows;
    for (const plan of await plansOf(() => store.find('all', row?.id ?? ''))) expect(plan).toMatch(/PRIMARY|autoindex/);
  });

  it('finds the rows of a message of today without a look at the days before', async () => {
    const today = DAYS.last - 1;
    const plans = await plansOf(() => store.lockRows(new Map([['x'.repeat(22), today]]), DAYS));
    expect(plans).toEqual([expect.stringContaining(String(today))]);
    expect(plans).not.toEqual([expect.stringContaining(String(today - 1))]);
  });
});
