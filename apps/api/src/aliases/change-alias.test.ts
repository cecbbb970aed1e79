import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
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
