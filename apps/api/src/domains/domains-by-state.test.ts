import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS } from '@mailstead/core/clock';
import { overallFlow } from '@mailstead/core/domain-states/domain-state';
import { FLOWS, type Flow } from '@mailstead/core/domains/flow';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

interface Row {
  id: number;
  name: string;
  partner_ref: string | null;
  state: { sends: Flow; receives: Flow };
}

/** What is done to a domain of its own, or with `parent` to a parent of which it is a child. */
interface Seed {
  call: (path: string, body?: object) => Promise<unknown>;
  /** Uses all of a daily limit of 5. */
  use: (count: number) => Promise<unknown>;
  /** Sets a field of its verification. */
  verification: (column: string, value: string | number) => Promise<unknown>;
  needs: (reason: string) => Promise<unknown>;
  /** Lacks records in the DNS. */
  lacks: (lacks: string) => Promise<unknown>;
  now: number;
}

const suspend =
  (cause: string) =>
  ({ call }: Seed) =>
    call('suspend', { cause });
const block = ({ call }: Seed) => call('outbound', { outbound_status: 'blocked' });
const atLimit = async ({ call, use }: Seed) => {
  await call('outbound', { daily_limit: 5 });
  await use(5);
};
const overMonitored = async (seed: Seed) => {
  await seed.call('outbound', { outbound_enforcement: 'monitor' });
  await atLimit(seed);
};

/** Each sign by which a domain in a flow is found, alone. */
const CASES: [name: string, flow: Flow, of: 'domain' | 'parent', seed: (seed: Seed) => unknown][] = [
  ['well', 'yes', 'domain', () => {}],
  ['unpaid', 'off', 'domain', suspend('billing')],
  ['abused', 'off', 'parent', suspend('abuse')],
  ['blocked', 'no', 'domain', block],
  ['parent-blocked', 'no', 'parent', block],
  ['closed', 'no', 'domain', ({ call }) => call('inbound', { inbound: 'pending' })],
  ['failed', 'no', 'domain', ({ verification }) => verification('status', 'failed')],
  ['new', 'pending', 'domain', ({ verification }) => verification('status', 'pending')],
  ['unasked', 'pending', 'domain', ({ verification }) => verification('status', 'unverified')],
  [
    'lost',
    'waits',
    'domain',
    async ({ verification, now }) => {
      await verification('status', 'failed');
      await verification('lost_at', now);
    },
  ],
  [
    'near',
    'at_risk',
    'domain',
    async ({ call, use }) => {
      await call('outbound', { daily_limit: 5 });
      await use(4);
    },
  ],
  ['dns', 'at_risk', 'domain', ({ needs }) => needs('dns_at_risk')],
  ['no-mx', 'no', 'domain', ({ lacks }) => lacks('mx')],
  ['mx-elsewhere', 'at_risk', 'domain', ({ lacks }) => lacks('mx_elsewhere')],
  ['no-spf', 'at_risk', 'domain', ({ lacks }) => lacks('spf')],
  ['used', 'waits', 'domain', atLimit],
  ['parent-used', 'waits', 'parent', atLimit],
  ['monitored', 'monitored', 'domain', overMonitored],
  ['parent-monitored', 'monitored', 'parent', overMonitored],
];

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let limited: string;
  const expected = new Map<string, Flow>();

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    for (const ref of ['acme', 'rival']) {
      for (const [name, flow, of, seed] of CASES) {
        const domain = `${name}.${ref}.example`;
        await create(domain, ref);
        expected.set(domain, flow);
        if (of === 'parent') {
          await create(`sub.${domain}`, ref);
          expected.set(`sub.${domain}`, flow);
          await put(`/domains/sub.${domain}/parent`, { parent: domain });
        }
        await seed(seedOf(domain));
      }
    }
    for (const [ref, stage] of [
      ['debtor', 'all'],
      ['late', 'changes'],
    ] as const) {
      await create(`a.${ref}.example`, ref);
      await create(`b.${ref}.example`, ref);
      await put(`/partners/${ref}/suspend`, { cause: 'billing', stage });
      for (const each of ['a', 'b']) expected.set(`${each}.${ref}.example`, 'off');
    }
    await create('a.paused.example', 'paused');
    expected.set('a.paused.example', 'waits');
    await api.database.write(
      `INSERT INTO relay_tenant (partner_id, name, policy, status, own_status, wanted, is_asked)
       SELECT id, 'paused', 'standard', 'paused', 'enabled', 'enabled', 0 FROM partner WHERE ref = 'paused'`,
      [],
    );
    limited = await api.key('acme', { domains: ['closed.acme.example', 'used.acme.example', 'well.acme.example'] });
  });
  afterAll(() => api.close());

  const put = (path: string, body: object) => api.as(MASTER).put(path, body).expect(200);
  async function create(name: string, partner_ref: string): Promise<void> {
    await api.as(MASTER).post('/domains/', { name, partner_ref }).expect(201);
    await seedOf(name).verification('status', 'verified');
  }
  function seedOf(name: string): Seed {
    const needs: Seed['needs'] = (reason) =>
      api.database.write(
        `INSERT INTO domain_attention (domain_id, reason, partner_id, period)
         SELECT id, ?, partner_id, '' FROM domain WHERE name = ?`,
        [reason, name],
      );
    return {
      now: api.clock.now().getTime(),
      call: (path, body = {}) => put(`/domains/${name}/${path}`, body),
      use: (count) =>
        api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count, bytes: 1, record: true }).expect(200),
      verification: (column, value) =>
        api.database.write(
          `UPDATE verification SET ${column} = ? WHERE domain_id = (SELECT id FROM domain WHERE name = ?)`,
          [value, name],
          [],
        ),
      needs,
      lacks: async (lacks) => {
        await needs('dns_missing');
        await api.database.write(
          `INSERT INTO dns_look (domain_id, partner_id, due_at, lacks, suspected)
           SELECT id, partner_id, 0, ?, '' FROM domain WHERE name = ?`,
          [lacks, name],
          [],
        );
      },
    };
  }

  const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
  const inFlow = (...flows: Flow[]) =>
    [...expected].flatMap(([name, flow]) => (flows.includes(flow) ? [name] : [])).toSorted();
  const list = async (token: string, query: string): Promise<Row[]> =>
    (await api.as(token).get(`/domains/?${query}`).expect(200)).body;

  it('the domains of this suite are in the states that it expects', async () => {
    const rows = await list(MASTER, 'view=full');
    expect(new Map(rows.map(({ name, state }) => [name, overallFlow(state)]))).toEqual(expected);
    expect(new Set(expected.values())).toEqual(new Set(FLOWS));
  });

  it.each(FLOWS)('finds exactly the domains that are %s, for each caller', async (flow) => {
    for (const view of ['', '&view=full']) {
      expect(namesOf(await list(MASTER, `state=${flow}${view}`)).toSorted()).toEqual(inFlow(flow));
      expect(namesOf(await list(READ, `state=${flow}&partner_ref=acme${view}`)).toSorted()).toEqual(
        inFlow(flow).filter((name) => name.endsWith('acme.example')),
      );
      expect(namesOf(await list(acme, `state=${flow}${view}`)).toSorted()).toEqual(
        inFlow(flow).filter((name) => name.endsWith('acme.example')),
      );
      expect(namesOf(await list(limited, `state=${flow}${view}`)).toSorted()).toEqual(
        inFlow(flow).filter((name) => /^(closed|used|well)\.acme/.test(name)),
      );
    }
  });

  it('finds the domains of several states, in pages, in both orders, with their number', async () => {
    for (const order of ['asc', 'desc'] as const) {
      const rows: Row[] = [];
      let path: string | undefined = `/domains/?state=no,waits,off&limit=5&total=true&order=${order}`;
      while (path !== undefined) {
        const answer: { body: Row[]; headers: Record<string, string> } = await api.as(MASTER).get(path).expect(200);
        expect(answer.body.length).toBeLessThanOrEqual(5);
        expect(answer.headers['total-count']).toBe(String(inFlow('no', 'waits', 'off').length));
        rows.push(...answer.body);
        path = /^<([^>]+)>/.exec(answer.headers.link ?? '')?.[1];
      }
      expect(namesOf(rows).toSorted()).toEqual(inFlow('no', 'waits', 'off'));
      const ids = rows.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((left, right) => (order === 'asc' ? left - right : right - left)));
    }
  });

  it('narrows with other filters', async () => {
    expect(namesOf(await list(MASTER, 'state=no&q=closed&partner_ref=rival'))).toEqual(['closed.rival.example']);
    expect(await list(MASTER, 'state=yes&attention=true')).toEqual([]);
  });

  it('a word that is no state is refused with those that are', async () => {
    const { body } = await api.as(acme).get('/domains/?state=no,red').expect(422);
    expect(body.errors).toEqual([{ field: 'state', message: `must be a list of ${FLOWS.join(', ')}` }]);
  });

  it('a state that ended with its period is not found any more', async () => {
    const now = api.clock.now();
    api.clock.set(new Date(now.getTime() + 24 * HOUR_MS));
    const found = namesOf(await list(acme, 'state=waits,at_risk,monitored'));
    const near = namesOf(await list(acme, 'state=yes'));
    api.clock.set(now);
    expect(found).toEqual(expect.not.arrayContaining(['used.acme.example', 'sub.parent-used.acme.example']));
    expect(near).toEqual(expect.arrayContaining(['used.acme.example', 'sub.parent-used.acme.example']));
  });

  it('until a restored database is accepted, every domain that would send waits', async () => {
    const gate = api.container.get(RestoreGate);
    gate.set(true);
    const [waits, well] = [namesOf(await list(MASTER, 'state=waits')), await list(MASTER, 'state=yes')];
    gate.set(false);
    expect(well).toEqual([]);
    expect(waits).toEqual(expect.arrayContaining(['well.acme.example', 'near.rival.example']));
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
