import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import fc from '../../../../scripts/fast-check.mjs';
import { BILLING, MASTER, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

interface Row {
  id: number;
  name: string;
  partner_ref: string | null;
  status: string;
  verification_status: string;
  outbound_status: string;
  inbound: string;
  plan: string | null;
  parent: string | null;
  external_ref: string | null;
}

/** Whether a name begins so, or what follows one of its dots or hyphens. */
const beginsWith = (name: string, prefix: string) =>
  Array.from(`.${name}`.matchAll(/\.|-(?=[^-.])/g), ({ index }) => name.slice(index)).some((text) =>
    text.startsWith(prefix),
  );

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let rival: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    rival = await api.key('rival');
    // The same things for both partners, so that a filter that forgets the partner finds too much.
    for (const [partner, token] of [
      ['acme', acme],
      ['rival', rival],
    ] as const) {
      const make = async (name: string, body: object = {}) => {
        await api
          .as(token)
          .post('/domains/', { name, ...body })
          .expect(201);
        return `/domains/${name}`;
      };
      const master = api.as(MASTER);
      const [one, two] = [
        await make(`${partner}-1.example`, { external_ref: 'order-1' }),
        await make(`${partner}-2.example`),
      ];
      const other = await make(`other.${partner}.example`, { external_ref: 'Ünï 100% _' });
      await make(`sub.other.${partner}.org.example`);
      await make(`other-example.${partner}.example`, { external_ref: 'order-1' });
      await make(`bücher.${partner}.example`);
      await make(`a.a.${partner}.example`);
      await master.put(`${one}/plan`, { plan: 'starter' }).expect(200);
      await master.put(`${two}/plan`, { plan: 'business' }).expect(200);
      await master.put(`${one}/inbound`, { inbound: 'open' }).expect(200);
      await master.put(`${two}/inbound`, { inbound: 'open' }).expect(200);
      await master.put(`${two}/suspend`, { cause: 'abuse' }).expect(200);
      await api.as(token).put(`${two}/suspend`).expect(200);
      await master.put(`${other}/suspend`, { cause: 'billing' }).expect(200);
      await master.put(`${two}/outbound`, { outbound_status: 'blocked' }).expect(200);
      await master.put(`${one}/parent`, { wildcard_mode: 'any' }).expect(200);
      const child = await make(`child.${partner}-1.example`);
      await make(`child2.${partner}-1.example`);
      const orphan = await make(`orphan.${partner}.example`);
      const late = await make(`late.${partner}.example`);
      const setStatus = (path: string, status: string) =>
        api.database.write(
          'UPDATE verification SET status = ? WHERE domain_id = (SELECT id FROM domain WHERE name = ?)',
          [status, path.slice('/domains/'.length)],
          [],
        );
      const setGrace = (path: string, until: number) =>
        api.database.write(
          'UPDATE domain SET inherited_until = ? WHERE name = ?',
          [until, path.slice('/domains/'.length)],
          [],
        );
      await setStatus(one, 'verified');
      await setStatus(two, 'failed');
      await setStatus(child, 'failed');
      await setStatus(other, 'pending');
      await setGrace(orphan, api.clock.now().getTime() + DAY_MS);
      await setGrace(late, api.clock.now().getTime() - 1);
    }
    await api.as(MASTER).post('/domains/', { name: 'nobody.example', external_ref: 'order-1' }).expect(201);
  });
  afterAll(() => api.close());

  const find = async (token: string, query: Record<string, string>): Promise<Row[]> =>
    (
      await api
        .as(token)
        .get(`/domains/?${new URLSearchParams(query).toString()}`)
        .expect(200)
    ).body as Row[];
  const all = (token: string) => find(token, { view: 'full' });

  /** Follows the links to the next page. */
  async function inPages(token: string, query: Record<string, string>, limit: number): Promise<Row[]> {
    const rows: Row[] = [];
    let path: string | undefined = `/domains/?${new URLSearchParams({ ...query, limit: String(limit) }).toString()}`;
    while (path !== undefined) {
      const answer: { body: Row[]; headers: Record<string, string> } = await api.as(token).get(path).expect(200);
      expect(answer.body.length).toBeLessThanOrEqual(limit);
      rows.push(...answer.body);
      path = /^<([^>]+)>/.exec(answer.headers.link ?? '')?.[1];
    }
    return rows;
  }

  const FILTERS: [name: string, value: string, meets: (row: Row) => boolean][] = [
    ['q', 'other', (row) => beginsWith(row.name, 'other')],
    ['q', 'child', (row) => beginsWith(row.name, 'child')],
    ['q', '1', (row) => beginsWith(row.name, '1')],
    ['q', 'order-', (row) => row.external_ref?.startsWith('order-') === true],
    ['q', 'Ünï', (row) => row.external_ref === 'Ünï 100% _'],
    ['status', 'active', ({ status }) => status === 'active'],
    ['status', 'suspended', ({ status }) => status === 'suspended'],
    ['verification_status', 'verified', (row) => row.verification_status === 'verified'],
    ['verification_status', 'failed', (row) => row.verification_status === 'failed'],
    ['verification_status', 'pending', (row) => row.verification_status === 'pending'],
    ['verification_status', 'unverified', (row) => row.verification_status === 'unverified'],
    ['outbound_status', 'blocked', (row) => row.outbound_status === 'blocked'],
    ['outbound_status', 'active', (row) => row.outbound_status === 'active'],
    ['inbound', 'open', ({ inbound }) => inbound === 'open'],
    ['inbound', 'pending', ({ inbound }) => inbound === 'pending'],
    ['plan', 'business', ({ plan }) => plan === 'business'],
    ['parent', 'acme-1.example', ({ parent }) => parent === 'acme-1.example'],
    ['external_ref', 'order-1', (row) => row.external_ref === 'order-1'],
    ['external_ref', 'Ünï 100% _', (row) => row.external_ref === 'Ünï 100% _'],
    ['partner_ref', 'acme', (row) => row.partner_ref === 'acme'],
  ];

  it('view=full has the rows of GET /domains/{name}, and the plain list exactly id, name and created_at', async () => {
    for (const token of [acme, rival, MASTER, READ]) {
      const rows = await all(token);
      const plain = (await api.as(token).get('/domains/').expect(200)).body as Row[];
      expect(plain.map((row) => Object.keys(row).join())).toEqual(plain.map(() => 'id,name,created_at'));
      expect(rows.map(({ id, name }) => [id, name])).toEqual(plain.map(({ id, name }) => [id, name]));
      for (const row of rows) expect((await api.as(token).get(`/domains/${row.name}`).expect(200)).body).toEqual(row);
    }
  });

  /** Of each caller, before the tests add more. */
  const rows: Record<string, Row[]> = {};

  beforeAll(async () => {
    for (const token of [acme, rival, MASTER]) rows[token] = await all(token);
  });

  it.each(FILTERS)('%s=%s finds exactly the domains that meet it', async (name, value, meets) => {
    for (const token of [...sampled([acme, rival], 1), MASTER]) {
      const expected = rows[token]?.filter(meets) ?? [];
      if (token === MASTER) expect(expected.length).toBeGreaterThan(0);
      expect(await find(token, { [name]: value, view: 'full' })).toEqual(expected);
      const plain = expected.map(({ id }) => id);
      if (token === MASTER) expect((await find(token, { [name]: value })).map(({ id }) => id)).toEqual(plain);
      expect((await inPages(token, { [name]: value }, 2)).map(({ id }) => id)).toEqual(plain);
      expect((await inPages(token, { [name]: value, order: 'desc' }, 3)).map(({ id }) => id)).toEqual(
        plain.toReversed(),
      );
    }
  });

  it('each pair of filters finds exactly the domains that meet both', async () => {
    const pairs = FILTERS.flatMap((filter, index) =>
      FILTERS.slice(index + 1)
        .filter(([other]) => other !== filter[0])
        .map((other) => [filter, other] as const),
    );
    for (const [index, [[name, value, meets], [other, otherValue, meetsOther]]] of sampled(pairs, 40).entries()) {
      for (const token of [acme, ...(index % 4 === 0 ? [MASTER] : [])]) {
        const expected = rows[token]?.filter((row) => meets(row) && meetsOther(row)).map(({ id }) => id);
        const found = await inPages(token, { [name]: value, [other]: otherValue }, 6);
        expect([name, value, other, otherValue, found.map(({ id }) => id)]).toEqual([
          name,
          value,
          other,
          otherValue,
          expected,
        ]);
      }
    }
  });

  it('q finds what a plain comparison finds, with all characters literal', async () => {
    const rows = await all(acme);
    const names = rows.map(({ name }) => name);
    const part = fc
      .tuple(fc.constantFrom(...names), fc.nat(30), fc.integer({ min: 1, max: 12 }))
      .map(([name, start, length]) => name.slice(start, start + length));
    const odd = fc.string({
      unit: fc.constantFrom('a', 'o', 't', '.', '-', '%', '_', "'", '\\', '*', '"', '0', 'ß', '日'),
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(part, odd), async (text) => {
        fc.pre(text.trim() !== '' && !/[ß日]/.test(text));
        const found = await find(acme, { q: text });
        const begin = rows.filter((row) => beginsWith(row.name, text) || row.external_ref?.startsWith(text.trim()));
        expect(found.map(({ name }) => name)).toEqual(begin.map(({ name }) => name));
      }),
      { numRuns: sampleSize(60, 30) },
    );
  });

  it.each([
    ['OTHER.acme', ['other.acme.example']],
    ['  other.acme ', ['other.acme.example', 'sub.other.acme.org.example']],
    ['bücher', ['xn--bcher-kva.acme.example']],
    ['BÜCHER.acme', ['xn--bcher-kva.acme.example']],
    ['日本', []],
    ['%', []],
    ['_ther', []],
    ['a b', []],
    ['x'.repeat(400), []],
  ])('q=%s finds %j', async (q, names) => {
    const found = (await find(acme, { q })).map(({ name }) => name);
    if (q === 'OTHER.acme') expect(found).toEqual(expect.arrayContaining(names));
    else expect(found).toEqual(names);
  });

  it.each([
    ['bakery', ['juniper-bakery.seek.example']],
    ['Bakery.seek', ['juniper-bakery.seek.example']],
    ['akery', []],
    ['bäckerei.s', ['xn--mller-bckerei-hfb76a.seek.example']],
    ['MÜLLER', ['xn--mller-bckerei-hfb76a.seek.example']],
    ['xn--mller', ['xn--mller-bckerei-hfb76a.seek.example']],
  ])('q=%s finds from each hyphen on, as people read the name and with xn--: %j', async (q, names) => {
    const seek = await api.key('seek');
    for (const name of ['juniper-bakery.seek.example', 'müller-bäckerei.seek.example']) {
      await api.as(seek).post('/domains/', { name });
    }
    for (const token of [seek, MASTER]) expect((await find(token, { q })).map(({ name }) => name)).toEqual(names);
    expect(await find(acme, { q })).toEqual([]);
  });

  it('q finds the domains of partners whose reference begins so, for master and read alone', async () => {
    const zeta = await api.key('zeta');
    for (const name of ['plain.example', 'zeta-1.example']) await api.as(zeta).post('/domains/', { name }).expect(201);
    const namesOf = async (token: string, query: Record<string, string>) =>
      (await find(token, query)).map(({ name }) => name);
    for (const token of [MASTER, READ]) {
      expect(await namesOf(token, { q: 'zet' })).toEqual(['plain.example', 'zeta-1.example']);
      expect(await namesOf(token, { q: 'zet', partner_ref: 'zeta' })).toEqual(['zeta-1.example']);
      expect(await namesOf(token, { q: 'ZET' })).toEqual(['zeta-1.example']);
    }
    for (const token of [zeta, BILLING]) expect(await namesOf(token, { q: 'zet' })).toEqual(['zeta-1.example']);
  });

  it.each([
    ['q', ''],
    ['q', ' '],
    ['status', 'odd'],
    ['plan', 'odd'],
    ['verification_status', 'lost'],
    ['parent', 'no name'],
    ['external_ref', ''],
    ['external_ref', ' order-1'],
    ['external_ref', 'x'.repeat(129)],
    ['view', 'short'],
    ['order', 'up'],
  ])('%s=%j is refused with 422', async (name, value) => {
    const { body } = await api
      .as(acme)
      .get(`/domains/?${new URLSearchParams({ [name]: value }).toString()}`)
      .expect(422);
    expect(body.errors).toMatchObject([{ field: name }]);
  });

  it.each([
    ['q', 'nothing'],
    ['external_ref', 'nothing'],
    ['parent', 'absent.example'],
    ['parent', 'rival-1.example'],
    ['partner_ref', 'rival'],
    ['partner_ref', 'absent'],
    ['q', 'rival'],
  ])('%s=%s of nothing that the caller may see is an empty list', async (name, value) => {
    expect(await find(acme, { [name]: value, view: 'full' })).toEqual([]);
    expect(await inPages(acme, { [name]: value }, 5)).toEqual([]);
  });

  it('a moved domain is found at its new partner only, by each filter, and a deleted one by none', async () => {
    await api.as(acme).post('/domains/', { name: 'mover.example', external_ref: 'moved' }).expect(201);
    const queries: Record<string, string>[] = [{ q: 'mover' }, { verification_status: 'unverified', q: 'mover' }];
    await api.as(MASTER).put('/domains/mover.example/partner', { partner_ref: 'rival' }).expect(200);
    for (const query of queries) {
      expect(await find(acme, query)).toEqual([]);
      expect(await find(rival, query)).toMatchObject([{ name: 'mover.example' }]);
    }
    const unverified = (await find(rival, { verification_status: 'unverified' })).map(({ name }) => name);
    expect(unverified).toContain('mover.example');
    await api.as(rival).delete('/domains/mover.example').expect(204);
    for (const query of queries) expect(await find(MASTER, query)).toEqual([]);
    expect(await api.database.read("SELECT suffix FROM domain_suffix WHERE suffix = 'mover.example'")).toEqual([]);
  });

  describe('the reference', () => {
    it('is set, changed and removed by PUT, with one audit row for each change', async () => {
      await api.as(acme).post('/domains/', { name: 'refer.example' }).expect(201);
      const put = (external_ref: unknown) => api.as(acme).put('/domains/refer.example', { external_ref });
      expect((await put('a-1').expect(200)).body).toMatchObject({ name: 'refer.example', external_ref: 'a-1' });
      await put('a-1').expect(200);
      expect((await put(null).expect(200)).body).toMatchObject({ external_ref: null });
      const { body } = await api.as(MASTER).get('/audit?domain=refer.example').expect(200);
      const updates = (body as { action: string }[]).filter(({ action }) => action === 'domain.update');
      expect(updates).toMatchObject([
        { before: { external_ref: null }, after: { external_ref: 'a-1' } },
        { before: { external_ref: 'a-1' }, after: { external_ref: null } },
      ]);
      await api.as(acme).delete('/domains/refer.example').expect(204);
    });

    it('is refused with control and format characters, lone surrogates, spaces at an end, no or too many characters', async () => {
      for (const external_ref of [
        '',
        'a\n',
        '\u0000',
        '\ud800',
        ' a',
        'a ',
        'x'.repeat(129),
        7,
        {},
        'a\u202eb',
        'a\u200bb',
        '\u2066a',
        'a\u2028b',
        '\ufeffa',
        'a\u200db',
        'ü\u200d\u202eü',
      ]) {
        await api.as(acme).put('/domains/acme-1.example', { external_ref }).expect(422);
        await api.as(acme).post('/domains/', { name: 'unmade.example', external_ref }).expect(422);
      }
      await api.as(acme).put('/domains/acme-1.example', {}).expect(422);
    });

    it('of another partner cannot be set', async () => {
      await api.as(rival).put('/domains/acme-1.example', { external_ref: 'x' }).expect(404);
    });
  });
});
