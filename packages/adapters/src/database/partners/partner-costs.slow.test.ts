import { join } from 'node:path';
import type { PartnerFilter } from '@mailstead/core/partners/partner-finder';
import type { Database } from '../driver/database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { type ReadCost, rowsOf, stepsOf } from '../testing/read-cost.js';
import { SqlPartnerFinder } from './partner-finder.js';

const FEW = 5_000;
const MANY = 100_000;
const PAGE = 51;
const NOW = new Date('2026-03-15T12:00:00.000Z');
/** A tree of an index of many rows has another level. */
const FACTOR = 1.5;
/** At the beginning, in the middle and near the end. */
const AFTER = ['', 'p5', 'p98'];

/** Each filter, how many partners it finds (`many` are a part of all), and whether many meet each of its conditions. */
const FILTERS: [PartnerFilter, found: number | 'many', isCommon?: boolean][] = [
  [{}, 'many'],
  [{ words: ['gm'] }, 'many'],
  [{ words: ['even'] }, 'many'],
  [{ words: ['gm', 'even', 'p'] }, 'many'],
  [{ words: ['rare'] }, 10],
  [{ words: ['gm', 'rare'] }, 10],
  [{ words: ['p', 'absent'] }, 0],
  [{ words: ['even', 'odd'] }, 0, true],
  [{ states: ['suspended'] }, 10],
  [{ states: ['changes_stopped'] }, 0],
  [{ states: ['suspended', 'relay_paused'] }, 20],
  [{ states: ['active'] }, 'many'],
  [{ states: ['at_limit'] }, 'many'],
  // In no index: each call looks at its share of all partners.
  [{ states: ['near_limit'] }, 0, true],
  [{ words: ['gm'], states: ['relay_paused'] }, 10],
];

/** Each third partner has as many domains as its key allows. */
async function fill(database: Database, partners: number): Promise<void> {
  const numbers =
    database.dialect.name === 'mysql'
      ? `(SELECT seq FROM seq_1_to_${partners}) AS n`
      : `(WITH RECURSIVE n(seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < ${partners}) SELECT seq FROM n) AS n`;
  const isTenth = (rest: number) => `seq % ${partners / 10} = ${rest}`;
  const rows: [into: string, values: string, where?: string][] = [
    [
      'partner (id, ref, domain_count, last_created_at, stage)',
      `seq + 1, CONCAT('p', seq), 1, 0, CASE WHEN ${isTenth(1)} THEN 'all' END`,
    ],
    ['partner_word (partner_id, word)', "seq + 1, CONCAT('p', seq)"],
    ['partner_word (partner_id, word)', "seq + 1, 'gmbh'"],
    ['partner_word (partner_id, word)', "seq + 1, CASE WHEN seq % 2 = 0 THEN 'even' ELSE 'odd' END"],
    ['partner_word (partner_id, word)', "seq + 1, 'rare'", isTenth(2)],
    [
      'relay_tenant (partner_id, name, status, is_asked)',
      `seq + 1, 't', CASE WHEN ${isTenth(3)} THEN 'paused' ELSE 'active' END, 0`,
    ],
    [
      'api_key (partner_id, token_hash, token_mask, domains_allowed, mailboxes_per_domain, aliases_per_mailbox, active, created_at, scope)',
      "seq + 1, CONCAT('h', seq), 'x', CASE WHEN seq % 3 = 0 THEN 1 ELSE 0 END, 0, 0, 1, seq, 'manage'",
    ],
  ];
  for (const [into, values, where = '1 = 1'] of rows) {
    await database.write(`INSERT INTO ${into} SELECT ${values} FROM ${numbers} WHERE ${where}`, [], []);
  }
}

onEachDatabase((kind) => {
  const worlds: (TestDatabase & { cost: ReadCost })[] = [];

  beforeAll(async () => {
    for (const partners of [FEW, MANY]) {
      const opened = await openTestDatabase(kind);
      await fill(opened.database, partners);
      if (kind === 'mariadb') {
        await opened.database.read('ANALYZE TABLE partner, partner_word, relay_tenant, api_key');
      }
      const cost =
        opened.url === null
          ? stepsOf(opened.database, join(opened.dataDir, 'mailstead.sqlite'))
          : await rowsOf(opened.database, opened.url);
      worlds.push({ ...opened, cost });
    }
  });
  afterAll(async () => {
    for (const world of worlds) {
      await world.cost.close();
      await world.close();
    }
  });

  it.each(FILTERS)(`to look for partners with %j costs the same at ${MANY} partners as at ${FEW}`, async (filter) => {
    const [few = 0, many = 0] = await Promise.all(
      worlds.map(async ({ database, cost }) => {
        const costs: number[] = [];
        for (const after of AFTER) {
          const work = () => new SqlPartnerFinder(database).search(filter, NOW).next(after, PAGE);
          costs.push((await cost.of(work)).cost);
        }
        return Math.max(...costs);
      }),
    );
    expect(few).toBeGreaterThan(0);
    expect([many < FACTOR * few, few, many]).toEqual([true, few, many]);
  });

  it.each(FILTERS)('counts the partners with %j among 20,000 at most', async (filter, found, isCommon = false) => {
    for (const { database } of worlds) {
      const search = new SqlPartnerFinder(database).search(filter, NOW);
      let total = await search.count();
      while (total === null) total = await search.count();
      const isRare = typeof found === 'number' && !isCommon;
      expect(total.more).toBe(database === worlds[1]?.database && !isRare);
      if (found === 'many') expect(total.count).toBeGreaterThan(1_000);
      else expect(total.count).toBe(found);
    }
  });
});
