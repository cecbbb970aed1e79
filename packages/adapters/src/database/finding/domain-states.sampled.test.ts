import { overallFlow } from '@mailstead/core/domain-states/domain-state';
import { DomainStates } from '@mailstead/core/domain-states/domain-states';
import { StateSearch } from '@mailstead/core/domain-states/state-search';
import { FLOWS, type Flow } from '@mailstead/core/domains/flow';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { inSearch, type SearchRange } from '@mailstead/core/search';
import { sampled } from '@mailstead/core/testing/sampled';
import type { Statement } from '../driver/database.js';
import { SqlDnsLooks } from '../looks/sql-dns-looks.js';
import { SqlOutboundLedger } from '../outbound/outbound-ledger.js';
import { SqlStopRecords } from '../outbound/stop-records.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { fillManyDomains } from '../testing/many-domains.js';
import { SqlDomainFinder } from './domain-finder.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
/** More than are counted at once. */
const DOMAINS = 520;
/** The first and the last domains, of which pages are read. */
const WALKED = 120;

/** Sending domains, whose number is known in two parts, and some other ones. */
const flows: readonly Flow[] = [
  'yes',
  ...sampled(
    FLOWS.filter((flow) => flow !== 'yes'),
    3,
  ),
];

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let states: DomainStates;
  const gate = new RestoreGate();

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    await fillManyDomains(opened.database, DOMAINS);
    await opened.database.write('UPDATE domain SET transfer_monthly_mb = 10 WHERE id % 2 = 0', [], []);
    await opened.database.write(
      `INSERT INTO domain_attention (domain_id, reason, partner_id, period)
       SELECT id, 'suspended', partner_id, '' FROM domain WHERE suspension_causes <> ''`,
      [],
    );
    await opened.database.write(
      `INSERT INTO dns_look (domain_id, partner_id, due_at, lacks, suspected)
       SELECT id, partner_id, 0, CASE WHEN id % 2 = 0 THEN 'mx,spf' ELSE 'spf' END, '' FROM domain WHERE id % 4 < 2`,
    );
    await opened.database.write(
      `INSERT INTO domain_attention (domain_id, reason, partner_id, period)
       SELECT domain_id, 'dns_missing', partner_id, '' FROM dns_look`,
      [],
    );
    await opened.database.write(
      "INSERT INTO relay_tenant (partner_id, name, status, status_since, is_asked) VALUES (3, 't3', 'paused', 9, 0)",
    );
    await opened.database.write(
      "UPDATE partner SET suppression_mode = 'refuse', suppression_count = 4 WHERE id = 3",
      [],
      [],
    );
    states = new DomainStates(
      new SqlOutboundLedger(opened.database),
      new SqlStopRecords(opened.database),
      new SqlDnsLooks(opened.database),
      gate,
    );
  });
  afterAll(() => opened.close());

  async function statementsOf(work: () => Promise<unknown>): Promise<number> {
    const { database } = opened;
    const read = database.read.bind(database);
    const readTogether = database.readTogether.bind(database);
    let count = 0;
    Object.assign(database, {
      read: (sql: string, parameters: never[]) => {
        count += 1;
        return read(sql, parameters);
      },
      readTogether: (several: readonly (Statement | null)[]) => {
        count += several.filter((each) => each !== null).length;
        return readTogether(several);
      },
    });
    await work();
    Object.assign(database, { read, readTogether });
    return count;
  }
  const page = (limit: number) =>
    new StateSearch(new SqlDomainFinder(opened.database), states, gate).domains(
      'all',
      {},
      undefined,
      NOW,
    )({ after: 0, limit, order: 'asc' });

  it('the states of 500 domains need as many statements as those of five', async () => {
    await page(500);
    const ofMany = await statementsOf(() => page(500));
    const ofFew = await statementsOf(() => page(5));
    expect(ofMany).toBe(ofFew);
    expect(ofMany).toBeLessThanOrEqual(9);
  });

  it('the facts of domains whose rows are known are those that a preview reads by their names', async () => {
    const { rows } = await page(DOMAINS);
    const ledger = new SqlOutboundLedger(opened.database);
    const queries = rows.map(({ domain }) => ({ domain: domain.name, sender: null, id: null }));
    const { domains, byId, period, tiers, mailboxes, logins } = await ledger.read(queries, NOW);
    const facts = await ledger.readOf(rows, NOW);
    expect(domains.size).toBe(DOMAINS);
    expect(facts).toEqual({ domains, byId, period, tiers, mailboxes, logins });
    const isPaused = [...facts.domains.values()].filter(({ tenant }) => tenant !== null);
    expect(isPaused.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).filter((id) => id % 11 === 0));
  });

  it('each domain has what it lacks in the DNS', async () => {
    const { rows } = await page(DOMAINS);
    const lacksOf = (id: number) => (id % 4 >= 2 ? [] : id % 2 === 0 ? ['mx', 'spf'] : ['spf']);
    expect(rows.map(({ id, lacks }) => [id, lacks])).toEqual(rows.map(({ id }) => [id, lacksOf(id)]));
  });

  it('pages of the domains in a state have each of them once, in both orders, and their number is known', async () => {
    const finder = new SqlDomainFinder(opened.database);
    const { rows } = await page(DOMAINS);
    for (const flow of flows) {
      const expected = rows.filter(({ state }) => overallFlow(state) === flow).map(({ id }) => id);
      // Each order walks one end of the domains, in three pages, of several chunks when many are in the state.
      for (const order of ['asc', 'desc'] as const) {
        const isIn = (id: number) => (order === 'asc' ? id > DOMAINS - WALKED : id <= WALKED);
        const walked = expected.filter(isIn);
        const search = new StateSearch(finder, states, gate).domains('all', {}, [flow], NOW);
        const found: number[] = [];
        let after: number | null = order === 'asc' ? DOMAINS - WALKED : WALKED + 1;
        while (after !== null) {
          const range: SearchRange = { after, limit: Math.ceil((walked.length + 1) / 3), order };
          after = null;
          for await (const chunk of inSearch(search, range, 20)) {
            found.push(...chunk.rows.map(({ id }) => id));
            if (chunk.isLast) after = chunk.next;
          }
        }
        expect([flow, found]).toEqual([flow, order === 'asc' ? walked : walked.toReversed()]);
      }
      const search = new StateSearch(finder, states, gate).domains('all', {}, [flow], NOW);
      let total = await search.count();
      if (flow === 'yes') expect(total).toBeNull();
      while (total === null) total = await search.count();
      expect([flow, total]).toEqual([flow, { count: expected.length, more: false }]);
    }
  });

  it('while a restored database is not accepted, every domain that would send waits, without an end', async () => {
    gate.set(true);
    const { rows } = await page(20);
    gate.set(false);
    expect(new Set(rows.map(({ state }) => state.sends))).toEqual(new Set(['waits']));
    expect(new Set(rows.map(({ state }) => state.until))).toEqual(new Set([null]));
  });
});
