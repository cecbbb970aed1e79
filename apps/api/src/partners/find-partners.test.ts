import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
    for (const [ref, name, domains_allowed] of [
      ['harbour-hosting', null, 0],
      ['acme', 'Old Hårbor GmbH', 1],
      ['berta', 'Berta & Co', 5],
    ] as const) {
      await api.key(ref, { domains_allowed });
      await api.as(MASTER).put(`/partners/${ref}`, { name }).expect(200);
    }
  });
  afterAll(() => api.close());

  const found = async (query: Record<string, string>, token = MASTER): Promise<string[]> => {
    const { body } = await api
      .as(token)
      .get(`/partners/?${new URLSearchParams(query)}`)
      .expect(200);
    return (body as { partner_ref: string }[]).map(({ partner_ref }) => partner_ref);
  };

  it('q finds the beginning of any word of the reference or the name, in any case', async () => {
    for (const q of ['harb', 'Harb', 'HARB', 'hår', ' harb ']) {
      expect([q, await found({ q })]).toEqual([q, ['acme', 'harbour-hosting']]);
    }
    expect(await found({ q: 'gmb' })).toEqual(['acme']);
    expect(await found({ q: 'host harbour-' }, READ)).toEqual(['harbour-hosting']);
    expect(await found({ q: 'harb', after: 'acme' })).toEqual(['harbour-hosting']);
    expect(await found({ q: 'arbour' })).toEqual([]);
  });

  it('a partner is found by its new name at once, and by the reference that a key or a domain brings', async () => {
    await api.as(MASTER).put('/partners/berta', { name: 'Zeppelin' }).expect(200);
    expect([await found({ q: 'zepp' }), await found({ q: 'co' })]).toEqual([['berta'], []]);
    await api.as(MASTER).put('/partners/berta', { name: 'Berta & Co' }).expect(200);
    await api.as(MASTER).post('/domains/', { name: 'new.example', partner_ref: 'NEW-partner' }).expect(201);
    expect(await found({ q: 'new' })).toEqual(['NEW-partner']);
    await api.as(MASTER).delete('/domains/new.example').expect(204);
  });

  it.each(['', ' ', 'a b c d e f g h i', 'x'.repeat(257)])('q=%j is refused, and names the field', async (q) => {
    const { body } = await api
      .as(MASTER)
      .get(`/partners/?${new URLSearchParams({ q })}`)
      .expect(422);
    expect(body.errors).toEqual([{ field: 'q', message: expect.any(String) as string }]);
  });

  it('state lists the partners in one of the states, which each partner has', async () => {
    const stateOf = async (ref: string) =>
      ((await api.as(MASTER).get(`/partners/${ref}`).expect(200)).body as { state: string }).state;
    expect(await stateOf('acme')).toBe('active');
    await api.as(MASTER).post('/domains/', { name: 'acme.example', partner_ref: 'acme' }).expect(201);
    await api.as(MASTER).put('/partners/berta/suspend', { stage: 'changes' }).expect(200);
    expect([await stateOf('acme'), await stateOf('berta')]).toEqual(['at_limit', 'changes_stopped']);
    expect(await found({ state: 'at_limit' })).toEqual(['acme']);
    expect(await found({ state: 'changes_stopped,at_limit' })).toEqual(['acme', 'berta']);
    expect(await found({ state: 'active', q: 'harb' })).toEqual(['harbour-hosting']);
    expect(await found({ state: 'relay_paused' })).toEqual([]);
    const { headers } = await api.as(MASTER).get('/partners/?state=active,at_limit&limit=1&total=true').expect(200);
    expect(headers).toMatchObject({ 'total-count': '2', link: expect.stringContaining('state=active') as string });
    await api.as(MASTER).put('/partners/berta/activate').expect(200);
    await api.as(MASTER).delete('/domains/acme.example').expect(204);
    expect(await found({ state: 'active' })).toEqual(['acme', 'berta', 'harbour-hosting']);
  });

  it.each(['', 'Active', 'active,', 'active,gone'])('state=%j is refused, and names the field', async (state) => {
    const { body } = await api
      .as(MASTER)
      .get(`/partners/?${new URLSearchParams({ state })}`)
      .expect(422);
    expect(body.errors).toEqual([{ field: 'state', message: expect.any(String) as string }]);
  });
});
