import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { SuppressionWorld } from './testing/suppression-world.js';

onHttpDatabase((kind) => {
  let api: TestApi;
  let world: SuppressionWorld;

  beforeAll(async () => {
    api = await startTestApi(kind);
    world = new SuppressionWorld(api);
  });
  afterAll(() => api.close());

  describe('the mode of suppressions', () => {
    it('is list until it is set, by the partner or by master, with one event for a change', async () => {
      const { partner, key } = await world.someone();
      expect((await api.as(key).get('/me/suppressions').expect(200)).body).toEqual({ mode: 'list', revision: 1 });
      const set = await api.as(key).put('/me/suppressions', { mode: 'refuse' }).expect(200);
      expect(set.body).toEqual({ mode: 'refuse', revision: 2 });
      await api.as(key).put('/me/suppressions', { mode: 'refuse' }).expect(200);
      expect((await api.as(READ).get(`/partners/${partner}/suppressions`).expect(200)).body).toEqual({
        mode: 'refuse',
        revision: 2,
      });
      const { body } = await api.as(MASTER).put(`/partners/${partner}/suppressions`, { mode: 'list' }).expect(200);
      expect(body).toEqual({ mode: 'list', revision: 3 });
      expect((await api.as(key).get('/me/suppressions').expect(200)).body).toEqual({ mode: 'list', revision: 3 });
      const events = (await world.eventsOf(key, 'partner.updated')) as { data: object }[];
      expect(events.map(({ data }) => data)).toEqual([
        { before: { suppression_mode: 'list' }, after: { suppression_mode: 'refuse' } },
        { before: { suppression_mode: 'refuse' }, after: { suppression_mode: 'list' } },
      ]);
    });

    it('is of a partner: operators name it, and an unknown one is 404', async () => {
      for (const method of ['get', 'put'] as const) {
        const { status, body } = await api.as(MASTER)[method]('/me/suppressions', { mode: 'list' });
        expect([status, body.code]).toEqual([403, 'client_token_required']);
        await api.as(MASTER)[method]('/partners/nobody/suppressions', { mode: 'list' }).expect(404);
      }
      const { key } = await world.someone();
      await api.as(key).put('/partners/acme/suppressions', { mode: 'refuse' }).expect(403);
      const wrong = await api.as(key).put('/me/suppressions', { mode: 'other' }).expect(422);
      expect(wrong.body.errors).toMatchObject([{ field: 'mode' }]);
    });
  });
});
