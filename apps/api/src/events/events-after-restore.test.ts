import { skipPositions } from '@mailstead/adapters/database/events/event-gaps';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

interface Shown {
  id: number;
  subject: string;
}

onEachDatabase((kind) => {
  describe('the events after a restore', () => {
    let api: TestApi;
    let acme: string;

    beforeAll(async () => {
      api = await startTestApi(kind);
      acme = await api.key('acme', { domains_allowed: 0 });
      await api.as(acme).post('/domains/', { name: 'acme.example' }).expect(201);
    });
    afterAll(() => api.close());

    async function events(token: string, query: string): Promise<Shown[]> {
      await api.container.get(EventPositioner).giveAll();
      return (await api.as(token).get(`/events${query}`).expect(200)).body as Shown[];
    }

    it('an after is 410 above the newest position and among those that a restore skipped, also the stream before it begins', async () => {
      const last = (await events(MASTER, '?order=desc&limit=1'))[0]?.id ?? 0;
      const answers = async (after: number) => {
        const list = await api.as(MASTER).get(`/events?after=${after}`);
        const stream = await fetch(`${api.url}/events/stream`, {
          headers: { Authorization: `Bearer ${MASTER}`, 'Last-Event-ID': String(after) },
        });
        await stream.body?.cancel();
        expect(stream.status).toBe(list.status);
        if (list.status === 410) expect((list.body as { code: string }).code).toBe('events_gone');
        return list.status;
      };
      expect(await answers(last)).toBe(200);
      expect(await events(MASTER, `?after=${last}`)).toEqual([]);
      expect(await answers(last + 1)).toBe(410);
      await skipPositions(api.database, 1_000);
      await skipPositions(api.database, 500);
      expect([await answers(last), await answers(last + 1), await answers(last + 1_500)]).toEqual([200, 410, 410]);
      await api.as(acme).post('/domains/', { name: 'after-restore.example' }).expect(201);
      const [next] = await events(MASTER, `?after=${last}`);
      expect(next).toMatchObject({ id: last + 1_501, subject: 'after-restore.example' });
      expect([
        await answers(last - 1),
        await answers(last + 1),
        await answers(last + 1_500),
        await answers(last + 1_501),
      ]).toEqual([200, 410, 410, 200]);
    });
  });
});
