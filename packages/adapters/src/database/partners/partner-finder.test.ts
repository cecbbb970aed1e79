import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerFilter } from '@mailstead/core/partners/partner-finder';
import { PARTNER_STATES, type PartnerState } from '@mailstead/core/partners/partner-state';
import { readSoughtWords } from '@mailstead/core/partners/partner-words';
import { walkSearch } from '@mailstead/core/search';
import type { Database } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { PartnerCandidates } from './partner-candidates.js';
import { SqlPartnerFinder } from './partner-finder.js';
import { TypeormPartnerRepository } from './partner-repository.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');

interface Given {
  name?: string;
  domains?: number;
  stage?: 'all' | 'changes';
  isPaused?: true;
  /** The `domains_allowed` of its keys; others of their columns. */
  keys?: [allowed: number, others?: Record<string, string | number>][];
}

const UNLIMITED: Given = { keys: [[0]] };
const PARTNERS: Record<string, Given> = {
  'acme-eu': { name: 'Acme Europe GmbH', ...UNLIMITED },
  'acme.us': { name: 'Acme US', ...UNLIMITED },
  HARBOUR: { name: 'Old Hårbor', domains: 10, keys: [[10]] },
  'old-harbour': { domains: 8, keys: [[10]] },
  'old-harvest': { domains: 7, keys: [[10]] },
  empty: { name: 'Acme without anything' },
  several: { domains: 10, keys: [[5], [20]] },
  mixed: { domains: 10, keys: [[5], [0]] },
  expired: { domains: 5, keys: [[5], [0, { expires_at: NOW.getTime() }]] },
  expiring: { domains: 5, keys: [[5], [0, { expires_at: NOW.getTime() + 1 }]] },
  inactive: { domains: 5, keys: [[5], [0, { active: 0 }]] },
  reading: { domains: 5, keys: [[5], [0, { scope: 'read' }]] },
  limited: { domains: 5, keys: [[5], [0, { is_limited: 1 }]] },
  own: { domains: 5, keys: [[5], [0, { maker_id: 1 }]] },
  keyless: { domains: 5 },
  'paused-1': { isPaused: true, domains: 5, keys: [[5]] },
  stopped: { stage: 'changes', isPaused: true, ...UNLIMITED },
  gone: { stage: 'all', domains: 5, keys: [[5]] },
  東京: {},
};

async function fill(database: Database): Promise<void> {
  const repository = new TypeormPartnerRepository(database);
  for (const [ref, { name = null, domains = 0, stage = null, isPaused, keys = [] }] of Object.entries(PARTNERS)) {
    const { id } = await new SqlUnitOfWork(database).run(async () => {
      const partner = await repository.lockOrCreate(ref.replace('東京', 'tokyo') as PartnerRef);
      partner.name = ref === '東京' ? '東京メール' : name;
      partner.domainCount = ref === '東京' ? 1 : domains;
      if (stage !== null) partner.suspend('operator', stage);
      await repository.save(partner);
      await repository.saveWords(partner);
      return partner;
    });
    if (isPaused) {
      await database.write(
        "INSERT INTO relay_tenant (partner_id, name, arn, status, is_asked) VALUES (?, 't', NULL, 'paused', 0)",
        [id],
      );
    }
    for (const [index, [allowed, others = {}]] of keys.entries()) {
      const row = { scope: 'manage', active: 1, ...others };
      const columns = Object.keys(row);
      await database.write(
        `INSERT INTO api_key (partner_id, token_hash, token_mask, domains_allowed, mailboxes_per_domain, aliases_per_mailbox, created_at, ${columns.join(', ')})
         VALUES (?, ?, 'x', ?, 0, 0, 0, ${columns.map(() => '?').join(', ')})`,
        [id, `${id}-${index}`, allowed, ...Object.values(row)],
      );
    }
  }
}

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let finder: SqlPartnerFinder;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    finder = new SqlPartnerFinder(opened.database);
    await fill(opened.database);
  });
  afterAll(() => opened.close());

  async function refsOf(filter: PartnerFilter, { start = '', page = 50 } = {}): Promise<string[]> {
    const search = finder.search(filter, NOW);
    const refs: string[] = [];
    const list = { start, read: search.next, positionAfter: ({ ref }: { ref: string }) => ref, atMost: null };
    for await (const { rows } of walkSearch<{ ref: string }, string>(list, page))
      refs.push(...rows.map(({ ref }) => ref));
    return refs;
  }
  const found = (q: string) => refsOf({ words: readSoughtWords(q) ?? [] });

  it.each<[string, string[]]>([
    ['harb', ['HARBOUR', 'old-harbour']],
    ['Harb', ['HARBOUR', 'old-harbour']],
    ['HÅRBOR', ['HARBOUR']],
    ['har', ['HARBOUR', 'old-harbour', 'old-harvest']],
    ['arbour', []],
    ['old', ['HARBOUR', 'old-harbour', 'old-harvest']],
    ['vest old', []],
    ['harv OLD', ['old-harvest']],
    ['acme', ['acme-eu', 'acme.us']],
    ['acme-e', ['acme-eu']],
    ['gmbh acme', ['acme-eu']],
    ['東', ['tokyo']],
    ['京', []],
    ['without', []],
    ['paused 1', ['paused-1']],
  ])('%j finds the partners of which each word is the beginning of one: %j', async (q, refs) => {
    expect(await found(q)).toEqual(refs);
  });

  const STATES: Record<PartnerState, string[]> = {
    suspended: ['gone'],
    changes_stopped: ['stopped'],
    relay_paused: ['paused-1'],
    at_limit: ['HARBOUR', 'expired', 'inactive', 'limited', 'own', 'reading'],
    near_limit: ['old-harbour'],
    active: ['acme-eu', 'acme.us', 'expiring', 'keyless', 'mixed', 'old-harvest', 'several', 'tokyo'],
  };

  it.each(PARTNER_STATES)('lists the partners that are %s', async (state) => {
    const refs = STATES[state];
    expect(await refsOf({ states: [state] })).toEqual(refs);
    for (const ref of refs) {
      const [row] = await opened.database.read('SELECT id FROM partner WHERE ref = ?', [ref]);
      expect([ref, await finder.state(Number(row?.id), NOW)]).toEqual([ref, state]);
    }
  });

  it('lists each partner in one state, and all of them without a filter, in the order of their references', async () => {
    const all = Object.values(STATES).flat().sort();
    expect(await refsOf({})).toEqual(all);
    expect(await refsOf({ states: PARTNER_STATES })).toEqual(all);
    expect(await refsOf({ states: ['suspended', 'relay_paused'] })).toEqual(['gone', 'paused-1']);
    expect(await refsOf({ words: ['harb'], states: ['near_limit'] })).toEqual(['old-harbour']);
  });

  it('pages of any size have each row once, after any reference', async () => {
    for (const filter of [
      {},
      { words: ['a'] },
      { states: ['at_limit', 'active'] },
      { states: ['gone'] },
    ] as PartnerFilter[]) {
      const all = await refsOf(filter);
      for (const page of [1, 2, 3]) expect(await refsOf(filter, { page })).toEqual(all);
      for (const start of ['', ...all]) {
        expect(await refsOf(filter, { start, page: 2 })).toEqual(all.filter((ref) => ref > start));
      }
    }
  });

  it('finds the same by walking as in an index, and counts what it finds', async () => {
    const filters: PartnerFilter[] = [
      {},
      { words: ['har'] },
      { words: ['old', 'harb'] },
      { words: ['absent'] },
      { states: ['suspended'] },
      { states: ['suspended', 'relay_paused', 'changes_stopped'] },
      { words: ['acme'], states: ['active'] },
      { words: ['har'], states: ['at_limit', 'near_limit'] },
    ];
    for (const filter of filters) {
      const refs = await refsOf(filter);
      const walking = new PartnerCandidates(opened.database, filter, NOW, -1);
      const { rows, next } = await walking.next('', 50);
      expect([filter, rows.map(({ ref }) => ref), next]).toEqual([filter, refs, null]);
      for (const search of [walking, finder.search(filter, NOW)]) {
        expect([filter, await search.count()]).toEqual([filter, { count: refs.length, more: false }]);
      }
    }
  });

  it('a new name is found at once, and the former one no longer', async () => {
    const repository = new TypeormPartnerRepository(opened.database);
    const rename = (name: string | null) =>
      new SqlUnitOfWork(opened.database).run(async () => {
        const partner = await repository.lockOrCreate('acme.us' as PartnerRef);
        partner.name = name;
        await repository.save(partner);
        await repository.saveWords(partner);
      });
    await rename('Ruby Acme Ruby');
    expect([await found('ruby'), await found('us')]).toEqual([['acme.us'], ['acme.us']]);
    await rename(null);
    expect([await found('ruby'), await found('us acme')]).toEqual([[], ['acme.us']]);
  });
});
