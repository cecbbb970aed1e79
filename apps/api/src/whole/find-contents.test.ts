import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let rival: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    rival = await api.key('rival');
    for (const [partner, token] of [
      ['acme', acme],
      ['rival', rival],
    ] as const) {
      for (const domain of [`one.${partner}.example`, `two.${partner}.example`]) {
        await api.as(token).post('/domains/', { name: domain }).expect(201);
        for (const [localPart, external_ref] of [
          ['info', 'p-1'],
          ['info2', null],
          ['in_fo', 'p-2'],
          ["o'neil", 'p-1'],
        ]) {
          const body = { email: `${localPart}@${domain}`, password_hash: HASH, external_ref };
          const created = await api.as(token).post('/users/', body).expect(201);
          expect(created.body).toMatchObject({ external_ref });
        }
        await api.as(token).put(`/users/info2@${domain}`, { active: false }).expect(200);
        for (const address of [`sales@${domain}`, `sale-2@${domain}`, `@${domain}`]) {
          await api
            .as(token)
            .post('/aliases/', { address, destination: `info@${domain}` })
            .expect(201);
        }
      }
    }
  });
  afterAll(() => api.close());

  const list = async (token: string, path: string, query: Record<string, string>): Promise<Record<string, string>[]> =>
    (
      await api
        .as(token)
        .get(`${path}?${new URLSearchParams(query).toString()}`)
        .expect(200)
    ).body;
  const emails = async (token: string, query: Record<string, string>) =>
    (await list(token, '/users/', query)).map(({ email }) => email);
  const addresses = async (token: string, query: Record<string, string>) =>
    (await list(token, '/aliases/', query)).map(({ address }) => address);
  const inBoth = (...localParts: string[]) =>
    ['one', 'two'].flatMap((label) => localParts.map((localPart) => `${localPart}@${label}.acme.example`));

  it.each<[Record<string, string>, string[]]>([
    [{ q: 'info' }, inBoth('info', 'info2')],
    [{ q: ' INFO2 ' }, inBoth('info2')],
    [{ q: 'in_' }, inBoth('in_fo')],
    [{ q: '%' }, []],
    [{ q: 'ü' }, []],
    [{ q: "o'" }, inBoth("o'neil")],
    [{ q: 'info@one' }, ['info@one.acme.example']],
    [{ q: 'info@one.rival' }, []],
    [{ q: 'info', domain: 'two.acme.example' }, ['info@two.acme.example', 'info2@two.acme.example']],
    [{ q: 'info', active: 'false' }, inBoth('info2')],
    [{ active: 'false' }, inBoth('info2')],
    [{ active: 'true', q: 'i' }, inBoth('info', 'in_fo')],
    [{ external_ref: 'p-1' }, inBoth('info', "o'neil")],
    [{ external_ref: 'p-1', domain: 'one.acme.example' }, ['info@one.acme.example', "o'neil@one.acme.example"]],
    [{ external_ref: 'absent' }, []],
    [{ partner_ref: 'rival', q: 'info' }, []],
  ])('GET /users/ with %j finds %j', async (query, expected) => {
    expect(await emails(acme, query)).toEqual(expected);
    expect(await emails(acme, { ...query, order: 'desc' })).toEqual(expected.toReversed());
    expect(await emails(MASTER, { partner_ref: 'acme', ...query })).toEqual(
      query.partner_ref ? await emails(rival, query) : expected,
    );
  });

  it.each<[Record<string, string>, string[]]>([
    [{ q: 'sal' }, inBoth('sales', 'sale-2')],
    [{ q: 'sales@two' }, ['sales@two.acme.example']],
    [{ q: '@' }, ['@one.acme.example', '@two.acme.example']],
    [{ q: 'sale', destination: 'info@two.acme.example' }, ['sales@two.acme.example', 'sale-2@two.acme.example']],
    [{ q: 'sale', domain: 'one.acme.example' }, ['sales@one.acme.example', 'sale-2@one.acme.example']],
    [{ q: 'sale', address: 'sales@one.acme.example' }, ['sales@one.acme.example']],
    [{ q: 'nobody' }, []],
  ])('GET /aliases/ with %j finds %j', async (query, expected) => {
    expect(await addresses(acme, query)).toEqual(expected);
    expect(await addresses(acme, { ...query, order: 'desc' })).toEqual(expected.toReversed());
    if (query.domain !== undefined) return;
    expect(await addresses(rival, query)).not.toEqual(expect.arrayContaining([expect.stringContaining('acme')]));
  });

  it.each(['/domains/', '/users/', '/aliases/'])(
    '%s with order=desc is the list in the other direction, in pages too',
    async (path) => {
      for (const query of [{}, { partner_ref: 'acme' }] as Record<string, string>[]) {
        const ascending = await list(MASTER, path, query);
        expect(await list(MASTER, path, { ...query, order: 'desc' })).toEqual(ascending.toReversed());
        const pages: unknown[] = [];
        for (let after = ''; ; ) {
          const page = await list(MASTER, path, {
            ...query,
            order: 'desc',
            limit: '3',
            ...(after === '' ? {} : { after }),
          });
          pages.push(...page);
          if (page.length < 3) break;
          after = String(page.at(-1)?.id);
        }
        expect(pages).toEqual(ascending.toReversed());
      }
    },
  );

  it('a filter that cannot be met by any value is refused', async () => {
    await api.as(acme).get('/users/?active=yes').expect(422);
    await api.as(acme).get('/users/?q=').expect(422);
    await api.as(acme).get('/aliases/?q=%20').expect(422);
    await api.as(acme).get('/users/?external_ref=%20x').expect(422);
    await api.as(MASTER).get('/partners/?q=%20').expect(422);
  });

  it('PUT /users/{email} changes the reference with one audit row, and null removes it', async () => {
    const email = 'info@one.acme.example';
    const put = (external_ref: unknown) => api.as(acme).put(`/users/${email}`, { external_ref });
    const audited = async () =>
      (
        (await api.as(MASTER).get('/audit?domain=one.acme.example').expect(200)).body as {
          action: string;
          subject: string;
        }[]
      ).filter(({ action, subject }) => action === 'mailbox.update' && subject === email);
    const before = (await audited()).length;
    expect((await put('new').expect(200)).body).toMatchObject({ email, external_ref: 'new' });
    await put('new').expect(200);
    expect((await audited()).length).toBe(before + 1);
    expect((await put(null).expect(200)).body).toMatchObject({ external_ref: null });
    expect((await put('p-1').expect(200)).body).toMatchObject({ external_ref: 'p-1' });
    for (const wrong of ['', '\u0007', '\ud800', 'x'.repeat(129), 'x ']) await put(wrong).expect(422);
  });

  it('a moved domain takes its mailboxes and aliases along, for each filter', async () => {
    await api.as(acme).post('/domains/', { name: 'moving.example' }).expect(201);
    await api
      .as(acme)
      .post('/users/', { email: 'mover@moving.example', password_hash: HASH, external_ref: 'mv' })
      .expect(201);
    await api
      .as(acme)
      .post('/aliases/', { address: 'moved@moving.example', destination: 'mover@moving.example' })
      .expect(201);
    await api.as(MASTER).put('/domains/moving.example/partner', { partner_ref: 'rival' }).expect(200);
    for (const query of [{ q: 'mover' }, { q: 'mover', active: 'true' }] as Record<string, string>[]) {
      expect(await emails(acme, query)).toEqual([]);
      expect(await emails(rival, query)).toEqual(['mover@moving.example']);
    }
    expect(await addresses(acme, { q: 'moved' })).toEqual([]);
    expect(await addresses(rival, { q: 'moved' })).toEqual(['moved@moving.example']);
    await api.as(rival).delete('/domains/moving.example').expect(204);
  });

  describe('partners', () => {
    it('have a name and a reference, which PUT changes and removes with one audit row for each change', async () => {
      const put = (body: object) => api.as(MASTER).put('/partners/acme', body);
      const record = (await api.as(MASTER).get('/partners/acme').expect(200)).body;
      expect(record).toMatchObject({ external_ref: null, name: null });
      expect((await put({ name: 'Acme "GmbH" 🦊', external_ref: 'c-7' }).expect(200)).body).toEqual({
        ...record,
        revision: 2,
        name: 'Acme "GmbH" 🦊',
        external_ref: 'c-7',
      });
      expect((await put({ name: null }).expect(200)).body).toEqual({ ...record, external_ref: 'c-7', revision: 3 });
      await put({ external_ref: 'c-7' }).expect(200);
      await put({}).expect(200);
      expect((await put({ external_ref: null }).expect(200)).body).toEqual({ ...record, revision: 4 });
      const { body } = await api.as(MASTER).get('/audit?partner_ref=acme').expect(200);
      const updates = (body as { action: string }[]).filter(({ action }) => action === 'partner.update');
      expect(updates).toHaveLength(3);
      await put({ name: '' }).expect(422);
      await put({ external_ref: 'x '.repeat(3) }).expect(422);
      await api.as(MASTER).put('/partners/absent', { name: 'x' }).expect(404);
      await api.as(acme).put('/partners/acme', { name: 'x' }).expect(403);
    });
  });
});
