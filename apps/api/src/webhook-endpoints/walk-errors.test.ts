import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { SECOND_MS } from '@mailstead/core/clock';
import { WebhookBacklog } from '@mailstead/core/webhooks/webhook-backlog';
import { WebhookWorld } from './testing/webhook-world.js';

onHttpDatabase((kind) => {
  describe('webhooks, when the database does not answer during a delivery', () => {
    let world: WebhookWorld;

    beforeAll(async () => {
      world = await WebhookWorld.start(kind);
    });
    afterAll(() => world.close());

    it('go on some seconds later, not when the claim of the process would end', async () => {
      const { api, receivers } = world;
      const { client, url } = await world.anEndpoint('unlucky');
      const backlog = api.container.get(WebhookBacklog);
      const store = backlog.store.bind(backlog);
      backlog.store = () => Promise.reject(new Error('The database does not answer'));
      await client.post('/domains/', { name: 'unlucky.example' }).expect(201);
      await world.deliver(1);
      backlog.store = store;
      receivers.received.length = 0;
      await world.deliver(1);
      expect(receivers.events(url)).toEqual([]);
      api.clock.advance(6 * SECOND_MS);
      await world.deliver(1);
      expect(receivers.events(url).map(({ subject }) => subject)).toEqual(['unlucky.example']);
    });
  });
});
