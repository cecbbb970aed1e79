import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
  describe('the aliases', () => {
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
      const emails = Array.from({ length: 51 }, (_, index) => `d${index}@box.example`);
      const mailboxes = emails.map((email) => ({ email, password_hash: HASH }));
      await api.as(acme).post('/users/bulk', { items: mailboxes }).expect(200);
      const [further, ...fifty] = emails.map((destination) => ({ address: 'many@box.example', destination }));
      const { body } = await api.as(acme).post('/aliases/bulk', { items: fifty }).expect(200);
      expect(body).toEqual(fifty.map(() => expect.objectContaining({ status: 201 })));
      await api.as(acme).post('/aliases/', further).expect(422);
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

  describe('PUT /aliases/{id}', () => {
    let api: TestApi;
    let acme: string;
    let rival: string;

    beforeAll(async () => {
      api = await startTestApi(kind, { ALLOW_EXTERNAL_FORWARD: 'true' });
      await api.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', 'on')");
      acme = await api.key('acme');
      rival = await api.key('rival');
      for (const [token, name] of [
        [acme, 'box.example'],
        [acme, 'second.example'],
        [rival, 'rival.example'],
      ] as const) {
        await api.as(token).post('/domains/', { name }).expect(201);
      }
      for (const email of ['ann@box.example', 'bob@box.example', 'cyd@second.example']) await mailbox(acme, email);
      await mailbox(rival, 'bob@rival.example');
    });
    afterAll(() => api.close());

    const mailbox = (token: string, email: string) =>
      api.as(token).post('/users/', { email, password_hash: HASH }).expect(201);
    const create = async (address: string, destination: string, token = acme) =>
      (await api.as(token).post('/aliases/', { address, destination }).expect(201)).body as {
        id: number;
        address: string;
        destination: string;
        created_at: string;
      };
    const change = (id: number | string, destination: unknown, token = acme) =>
      api.as(token).put(`/aliases/${id}`, { destination });
    const audit = async () => (await api.as(MASTER).get('/audit').expect(200)).body as Record<string, unknown>[];
    const aliasCount = async (name: string) => (await api.as(MASTER).get(`/domains/${name}`)).body.aliases as number;

    it('changes the destination alone, with an audit row; counts stay', async () => {
      const alias = await create('info@box.example', 'ann@box.example');
      const counts = [await aliasCount('box.example'), await aliasCount('second.example')];
      const { body } = await change(alias.id, 'CYD@second.example').expect(200);
      expect(body).toEqual({ ...alias, destination: 'cyd@second.example' });
      expect((await api.as(acme).get(`/aliases/${alias.id}`).expect(200)).body).toEqual(body);
      expect((await api.as(acme).get('/aliases/?destination=ann@box.example').expect(200)).body).toEqual([]);
      expect([await aliasCount('box.example'), await aliasCount('second.example')]).toEqual(counts);
      expect((await audit()).at(-1)).toMatchObject({
        action: 'alias.update',
        partner_ref: 'acme',
        subject: 'info@box.example',
        before: { destination: 'ann@box.example' },
        after: { destination: 'cyd@second.example' },
      });
      // The alias now goes with its new mailbox, not with the former one.
      await api.as(acme).delete('/users/cyd@second.example').expect(204);
      await api.as(acme).get(`/aliases/${alias.id}`).expect(404);
      await mailbox(acme, 'cyd@second.example');
    });

    it('writes nothing when the destination stays the same', async () => {
      const { id } = await create('same@box.example', 'ann@box.example');
      const rows = (await audit()).length;
      await change(id, 'Ann@BOX.example').expect(200);
      expect(await audit()).toHaveLength(rows);
    });

    it('changes one of several destinations, and an outside destination to another case', async () => {
      const first = await create('two@box.example', 'ann@box.example');
      const second = await create('two@box.example', 'bob@box.example');
      const taken = await change(second.id, 'ann@box.example').expect(400);
      expect(taken.body).toMatchObject({ code: 'alias_exists', detail: 'Alias already exists' });
      await change(second.id, 'Some.One@out.test').expect(200);
      expect((await change(first.id, 'some.one@out.test').expect(400)).body.code).toBe('alias_exists');
      expect((await change(second.id, 'some.one@out.test').expect(200)).body.destination).toBe('some.one@out.test');
      await change(second.id, 'cyd@second.example').expect(200);
    });

    it('changes the destination of a catch-all', async () => {
      const { id } = await create('@second.example', 'ann@box.example');
      expect((await change(id, 'bob@box.example').expect(200)).body).toMatchObject({
        address: '@second.example',
        catch_all: true,
        destination: 'bob@box.example',
      });
    });

    it.each([
      ['nobody@box.example', 404, 'mailbox_not_found'],
      ['bad@box.example', 404, 'mailbox_not_found'],
      ['@box.example', 422, 'validation_failed'],
      ['not an address', 422, 'validation_failed'],
      ['', 422, 'validation_failed'],
      [null, 422, 'validation_failed'],
      [5, 422, 'validation_failed'],
    ])('refuses the destination %j with %i %s', async (destination, status, code) => {
      const list = await api.as(acme).get('/aliases/?address=bad@box.example').expect(200);
      const { id } = list.body[0] ?? (await create('bad@box.example', 'ann@box.example'));
      expect((await change(id, destination).expect(status)).body.code).toBe(code);
      expect((await api.as(acme).get(`/aliases/${id}`)).body.destination).toBe('ann@box.example');
    });

    it('refuses an outside destination that the setting forbids, and a mailbox of another partner', async () => {
      const closed = await startTestApi(kind);
      try {
        const [token, other] = [await closed.key('acme'), await closed.key('rival')];
        for (const [owner, name] of [
          [token, 'box.example'],
          [other, 'rival.example'],
        ] as const) {
          await closed.as(owner).post('/domains/', { name }).expect(201);
          await closed
            .as(owner)
            .post('/users/', { email: `ann@${name}`, password_hash: HASH })
            .expect(201);
        }
        const alias = { address: 'info@box.example', destination: 'ann@box.example' };
        const { id } = (await closed.as(token).post('/aliases/', alias).expect(201)).body;
        for (const destination of ['someone@out.test', 'ann@rival.example']) {
          for (const caller of [token, MASTER]) {
            const refused = await closed.as(caller).put(`/aliases/${id}`, { destination }).expect(422);
            expect(refused.body.errors).toEqual([{ field: 'destination', message: expect.any(String) }]);
          }
        }
      } finally {
        await closed.close();
      }
    });

    it('is refused to other partners as if the alias were absent, and to operators other than master', async () => {
      const { id, address } = await create('mine@box.example', 'ann@box.example');
      const foreign = await change(id, 'bob@rival.example', rival).expect(404);
      const absent = await change(999_999, 'bob@rival.example', rival).expect(404);
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
      for (const token of [POLICY, BILLING, READ]) await change(id, 'bob@box.example', token).expect(403);
      await change(address, 'bob@box.example').expect(404);
      await api
        .as(acme)
        .put(`/aliases/${id}`, { destination: 'bob@box.example', address: 'x@box.example' })
        .expect(422);
      expect((await api.as(acme).get(`/aliases/${id}`).expect(200)).body.destination).toBe('ann@box.example');
      await change(id, 'bob@box.example', MASTER).expect(200);
    });

    it('frees the place at the former mailbox', async () => {
      const limited = await api.key('acme', { aliases_per_mailbox: 1 });
      for (const email of ['p1@box.example', 'p2@box.example']) await mailbox(acme, email);
      const { id } = await create('place@box.example', 'p1@box.example', limited);
      await change(id, 'p2@box.example', limited).expect(200);
      await create('next@box.example', 'p1@box.example', limited);
      await change(id, 'p1@box.example', limited).expect(403);
    });
  });
});
