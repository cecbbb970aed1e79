import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let rival: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    rival = await api.key('rival');
    for (const [token, name] of [
      [acme, 'box.example'],
      [rival, 'rival.example'],
    ] as const) {
      await api.as(token).post('/domains/', { name }).expect(201);
      await api
        .as(token)
        .post('/users/', { email: `bob@${name}`, password_hash: HASH })
        .expect(201);
    }
  });
  afterAll(() => api.close());

  const code = (response: { body: { code: string } }) => response.body.code;

  it('creates an alias and returns it; an address with several destinations has several aliases', async () => {
    const { body } = await api
      .as(acme)
      .post('/aliases/', { address: 'Info@box.example', destination: 'BOB@box.example' })
      .expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      address: 'info@box.example',
      destination: 'bob@box.example',
      catch_all: false,
      created_at: expect.any(String),
    });
    expect((await api.as(acme).get(`/aliases/${body.id}`).expect(200)).body).toEqual(body);
    await api.as(acme).post('/users/', { email: 'eve@box.example', password_hash: HASH }).expect(201);
    await api.as(acme).post('/aliases/', { address: 'info@box.example', destination: 'eve@box.example' }).expect(201);
    expect((await api.as(acme).get('/aliases/?address=info@box.example').expect(200)).body).toHaveLength(2);
    expect((await api.as(acme).get('/domains/box.example').expect(200)).body.aliases).toBe(2);
  });

  it.each(['@box.example', '*@box.example'])('%s creates the catch-all', async (address) => {
    const { body } = await api.as(acme).post('/aliases/', { address, destination: 'bob@box.example' }).expect(201);
    expect(body).toMatchObject({ address: '@box.example', catch_all: true });
    await api
      .as(acme)
      .delete(`/aliases/${encodeURIComponent('@box.example')}`)
      .expect(204);
  });

  it.each([
    [{ address: 'bob@box.example', destination: 'bob@box.example' }, 400, 'address_in_use'],
    [{ address: 'info@box.example', destination: 'bob@box.example' }, 400, 'alias_exists'],
    [{ address: 'x@box.example', destination: 'nobody@box.example' }, 404, 'mailbox_not_found'],
    [{ address: 'x@box.example', destination: 'bob@rival.example' }, 422, 'validation_failed'],
    [{ address: 'x@box.example', destination: 'someone@elsewhere.example' }, 422, 'validation_failed'],
    [{ address: 'x@rival.example', destination: 'bob@box.example' }, 404, 'domain_not_found'],
    [{ address: 'x@absent.example', destination: 'bob@box.example' }, 404, 'domain_not_found'],
    [{ address: 'not an address', destination: 'bob@box.example' }, 422, 'validation_failed'],
    [{ address: 'x@box.example', destination: '@box.example' }, 422, 'validation_failed'],
  ])('refuses %j with %i %s', async (body, status, expected) => {
    expect(code(await api.as(acme).post('/aliases/', body).expect(status))).toBe(expected);
  });

  it('accepts fifty destinations for one address and refuses the next', async () => {
    for (let index = 0; index < 51; index += 1) {
      await api
        .as(acme)
        .post('/users/', { email: `d${index}@box.example`, password_hash: HASH })
        .expect(201);
      const answer = await api
        .as(acme)
        .post('/aliases/', { address: 'many@box.example', destination: `d${index}@box.example` });
      expect(answer.status).toBe(index < 50 ? 201 : 422);
    }
    await api.as(acme).delete('/aliases/many@box.example').expect(204);
    expect((await api.as(acme).get('/aliases/?address=many@box.example').expect(200)).body).toEqual([]);
  });

  it('is invisible to another partner, by id, address and filter', async () => {
    const [first] = (await api.as(acme).get('/aliases/?limit=1').expect(200)).body;
    await api.as(rival).get(`/aliases/${first.id}`).expect(404);
    await api.as(rival).delete(`/aliases/${first.id}`).expect(404);
    await api.as(rival).delete(`/aliases/${first.address}`).expect(404);
    expect((await api.as(rival).get(`/aliases/?address=${first.address}`).expect(200)).body).toEqual([]);
    await api.as(rival).get('/aliases/?domain=box.example').expect(404);
    expect((await api.as(MASTER).get('/aliases/?partner_ref=rival').expect(200)).body).toEqual([]);
  });

  it('allows the policy daemon to look up one address and refuses the list', async () => {
    expect((await api.as(POLICY).get('/aliases/?address=info@box.example').expect(200)).body).toHaveLength(2);
    await api.as(POLICY).get('/aliases/').expect(403);
    await api.as(POLICY).delete('/aliases/1').expect(403);
  });
});
