import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { SECOND_MS } from '@mailstead/core/clock';
import { DeliverWebhooks } from '@mailstead/core/webhooks/deliver-webhooks';
import { WebhookBacklog } from '@mailstead/core/webhooks/webhook-backlog';
import { WebhookSender } from '@mailstead/core/webhooks/webhook-sender';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Receivers } from './testing/receivers.js';

const URL_OF_HOOK = 'https://unlucky.example/';

onHttpDatabase((kind) => {
  describe('webhooks, when the database does not answer during a delivery', () => {
    let api: TestApi;
    let receivers: Receivers;

    beforeAll(async () => {
      api = await startTestApi(kind);
      receivers = new Receivers();
      Object.assign(api.container.get(WebhookSender), { post: receivers.post });
    });
    afterAll(() => api.close());

    async function turn(): Promise<void> {
      await api.container.get(EventPositioner).giveAll();
      const deliveries = api.container.get(DeliverWebhooks);
      await deliveries.turn(async () => undefined);
      await deliveries.idle();
    }

    it('go on some seconds later, not when the claim of the process would end', async () => {
      const client = api.as(await api.key('unlucky', { domains_allowed: 0 }));
      await client.post('/webhook-endpoints', { url: URL_OF_HOOK, types: ['domain.created'] }).expect(201);
      await turn();
      const backlog = api.container.get(WebhookBacklog);
      const store = backlog.store.bind(backlog);
      backlog.store = () => Promise.reject(new Error('The database does not answer'));
      await client.post('/domains/', { name: 'unlucky.example' }).expect(201);
      await turn();
      backlog.store = store;
      receivers.received.length = 0;
      await turn();
      expect(receivers.events(URL_OF_HOOK)).toEqual([]);
      api.clock.advance(6 * SECOND_MS);
      await turn();
      expect(receivers.events(URL_OF_HOOK).map(({ subject }) => subject)).toEqual(['unlucky.example']);
    });
  });
});
