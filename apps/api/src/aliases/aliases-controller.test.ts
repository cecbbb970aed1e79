import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onEachDatabase((kind) => {
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

  it('keeps the case of the local part of an outside destination, and ignores the case of a mailbox of the partner', async () => {
    const open = await startTestApi(kind, { ALLOW_EXTERNAL_FORWARD: 'true' });
    if (kind === 'mariadb') await setForwarding(open, 'on');
    const partner = await open.key('cases');
    const hash = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
    await open.as(partner).post('/domains/', { name: 'cases.example' }).expect(201);
    await open.as(partner).post('/users/', { email: 'ann@cases.example', password_hash: hash }).expect(201);
    const to = async (destination: string) =>
      (await open.as(partner).post('/aliases/', { address: 'a@cases.example', destination })).body;
    expect(await to('Some.One!#$%+/?^`{|}*@Elsewhere.TEST')).toMatchObject({
      destination: 'Some.One!#$%+/?^`{|}*@elsewhere.test',
    });
    expect(await to('ANN@Cases.example')).toMatchObject({ destination: 'ann@cases.example' });
    expect(await to('some.one!#$%+/?^`{|}*@elsewhere.test')).toMatchObject({ code: 'alias_exists' });
    for (const destination of ['Ann@cases.example', 'Some.One!#$%+/?^`{|}*@elsewhere.test']) {
      const found = await open
        .as(partner)
        .get(`/aliases/?destination=${encodeURIComponent(destination)}`)
        .expect(200);
      expect(found.body).toHaveLength(1);
    }
    await open.close();
  });

  it('accepts an outside destination only if the operator allows it and the mail servers forward', async () => {
    const open = await startTestApi(kind, { ALLOW_EXTERNAL_FORWARD: 'true' });
    const token = await open.key('acme');
    await open.as(token).post('/domains/', { name: 'box.example' }).expect(201);
    if (kind === 'mariadb') {
      for (const value of [null, 'off']) {
        await setForwarding(open, value);
        const refused = await open
          .as(token)
          .post('/aliases/', { address: 'out@box.example', destination: 'someone@elsewhere.example' })
          .expect(422);
        expect(refused.body.errors).toEqual([
          { field: 'destination', message: expect.stringContaining('not set up on the mail servers') },
        ]);
      }
      await setForwarding(open, 'on');
    }
    const { body } = await open
      .as(token)
      .post('/aliases/', { address: 'out@box.example', destination: 'Some.One+x@Elsewhere.example' })
      .expect(201);
    expect(body.destination).toBe('Some.One+x@elsewhere.example');
    await open
      .as(token)
      .post('/aliases/', { address: 'out2@box.example', destination: 'nobody@box.example' })
      .expect(404);
    await open.close();
  });

  it('accepts an alias to a domain of another partner only until that domain is open for inbound mail', async () => {
    const open = await startTestApi(kind, { ALLOW_EXTERNAL_FORWARD: 'true' });
    if (kind === 'mariadb') await setForwarding(open, 'on');
    const [token, other] = [await open.key('acme'), await open.key('rival')];
    await open.as(token).post('/domains/', { name: 'box.example' }).expect(201);
    await open.as(other).post('/domains/', { name: 'large.example' }).expect(201);
    const destination = 'friend@large.example';
    await open.as(token).post('/aliases/', { address: 'a@box.example', destination }).expect(201);
    await open.as(MASTER).put('/domains/large.example/inbound', { inbound: 'open' }).expect(200);
    const refused = await open.as(token).post('/aliases/', { address: 'b@box.example', destination }).expect(404);
    expect(code(refused)).toBe('mailbox_not_found');
    await open.close();
  });

  /** Stores the value that `grants.sql` of the mail stack writes. @param value null: `grants.sql` was never run. */
  async function setForwarding(open: TestApi, value: string | null): Promise<void> {
    await open.database.write("DELETE FROM installation WHERE name = 'forwarding'");
    if (value !== null) {
      await open.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', ?)", [value]);
    }
  }
});
