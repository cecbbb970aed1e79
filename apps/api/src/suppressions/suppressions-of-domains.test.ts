import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { SuppressionWorld } from './testing/suppression-world.js';

onHttpDatabase((kind) => {
  let api: TestApi;
  let world: SuppressionWorld;

  beforeAll(async () => {
    api = await startTestApi(kind);
    world = new SuppressionWorld(api);
  });
  afterAll(() => api.close());

  describe('the suppressions of a domain', () => {
    it('are gone with it, and come back when it is restored', async () => {
      const { key, domain } = await world.someone();
      const id = await world.suppress(key, { address: 'r@out.example', domain, note: 'kept' });
      await api.as(key).delete(`/domains/${domain}`).expect(204);
      expect(await world.listOf(key)).toEqual([]);
      await api.as(key).delete(`/suppressions/${id}`).expect(404);
      const { body } = await api.as(key).get(`/deleted?domain=${domain}`).expect(200);
      await api
        .as(key)
        .post(`/deleted/${(body as { id: number }[])[0]?.id}/restore`)
        .expect(200);
      const { body: rows } = await api.as(key).get('/suppressions').expect(200);
      expect(rows).toMatchObject([{ id, address: 'r@out.example', domain, note: 'kept' }]);
    });

    it('come back when the name is created anew, and once more after a restoration', async () => {
      const { key, domain } = await world.someone();
      await world.found(domain, 'anew@out.example', 'complaint');
      await api.as(key).delete(`/domains/${domain}`).expect(204);
      await api.as(key).post('/domains/', { name: domain }).expect(201);
      await world.suppress(key, { address: 'second@out.example', domain });
      expect((await world.listOf(key, `?domain=${domain}`)).sort()).toEqual(['anew@out.example', 'second@out.example']);
      await api.as(key).delete(`/domains/${domain}`).expect(204);
      const { body } = await api.as(key).get(`/deleted?domain=${domain}`).expect(200);
      const oldest = (body as { id: number }[])[0]?.id;
      await api.as(key).post(`/deleted/${oldest}/restore`).expect(200);
      expect((await world.listOf(key, `?domain=${domain}`)).sort()).toEqual(['anew@out.example', 'second@out.example']);
    });

    it('are nothing to another partner that creates the name', async () => {
      const [one, two] = [await world.someone(), await world.someone()];
      await world.suppress(one.key, { address: 'past@out.example', domain: one.domain });
      await api.as(one.key).delete(`/domains/${one.domain}`).expect(204);
      await api.as(two.key).post('/domains/', { name: one.domain }).expect(201);
      expect(await world.listOf(two.key)).toEqual([]);
      expect(await world.listOf(MASTER, `?domain=${one.domain}`)).toEqual([]);
    });

    it('move with it, without notes and manual ones; those of the partner stay', async () => {
      const [one, two] = [await world.someone(), await world.someone()];
      await world.suppress(one.key, { address: 'manual@out.example', domain: one.domain });
      await world.suppress(one.key, { address: 'whole@out.example' });
      await world.found(one.domain, 'moved@out.example', 'complaint');
      await api.as(MASTER).put(`/domains/${one.domain}/partner`, { partner_ref: two.partner }).expect(200);
      expect(await world.listOf(one.key)).toEqual(['whole@out.example']);
      const { body } = await api.as(two.key).get('/suppressions').expect(200);
      expect(body).toMatchObject([{ address: 'moved@out.example', domain: one.domain, reason: 'complaint' }]);
    });

    it('are deleted with the history of the name, and so is what they count', async () => {
      const { partner, key, domain } = await world.someone();
      await world.suppress(key, { address: 'forgotten@out.example', domain });
      await world.suppress(key, { address: 'stays@out.example' });
      await api.as(key).delete(`/domains/${domain}`).expect(204);
      const before = api.clock.now();
      for (const days of [8, 92]) {
        api.clock.set(new Date(before.getTime() + days * DAY_MS));
        await api.container.get(RemoveDeletedMail).execute();
      }
      api.clock.set(before);
      const [count] = await api.database.read('SELECT suppression_count AS n FROM partner WHERE ref = ?', [partner]);
      const rows = await api.database.read("SELECT id FROM suppression WHERE address = 'forgotten@out.example'");
      expect([Number(count?.n), rows]).toEqual([1, []]);
    });
  });
});
