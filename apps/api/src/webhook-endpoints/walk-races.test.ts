import { Database } from '@mailstead/adapters/database/driver/database';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { waitingForLock } from '@mailstead/adapters/database/testing/lock-waits';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { EventFeed } from '@mailstead/core/events/event-feed';
import { DeliverWebhooks } from '@mailstead/core/webhooks/deliver-webhooks';
import { WebhookBacklog } from '@mailstead/core/webhooks/webhook-backlog';
import { WebhookSender } from '@mailstead/core/webhooks/webhook-sender';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Receivers } from './testing/receivers.js';

const URL_OF_HOOK = 'https://racing.example/';

onEachDatabase((kind) => {
  describe('the end of a walk, while another process tells the endpoint of an event', () => {
    let api: TestApi;
    let receivers: Receivers;

    beforeAll(async () => {
      api = await startTestApi(kind);
      receivers = new Receivers();
      Object.assign(api.container.get(WebhookSender), { post: receivers.post });
    });
    afterAll(() => api.close());

    const give = () => api.container.get(EventPositioner).giveAll();

    async function turn(): Promise<void> {
      await give();
      const deliveries = api.container.get(DeliverWebhooks);
      await deliveries.turn(async () => undefined);
      await deliveries.idle();
    }

    it('does not hide the event', async () => {
      const client = api.as(await api.key('racing', { domains_allowed: 0 }));
      const { body } = await client.post('/webhook-endpoints', { url: URL_OF_HOOK, types: ['domain.created'] });
      await turn();
      await turn();
      const backlog = api.container.get(WebhookBacklog);
      const create = (name: string) => client.post('/domains/', { name }).expect(201);
      await create('first.example');
      await give();
      while (await backlog.tell(100, api.clock.now()));
      const { last } = await api.container.get(EventFeed).bounds();
      await create('second.example');
      await give();

      let begin: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const nothing = { attempts: [], failed: [], ended: [], failingSince: null, redeliverAfter: null };
      const walk = { ...nothing, cursor: last - 1, readTo: last };
      const ended = begun.then(() => backlog.store({ id: (body as { id: number }).id, url: URL_OF_HOOK }, walk));
      const database = api.container.get(Database);
      const write = database.write.bind(database);
      database.write = async (sql, parameters) => {
        if (kind === 'mariadb' && sql.startsWith('UPDATE webhook_feed')) {
          begin();
          await Promise.race([ended, waitingForLock(database, 'webhook_endpoint')]);
        }
        return write(sql, parameters);
      };
      await backlog.tell(100, api.clock.now());
      database.write = write;
      begin();
      await ended;

      await create('third.example');
      await turn();
      await turn();
      const subjects = receivers.events(URL_OF_HOOK).map(({ subject }) => subject);
      expect(subjects).toEqual(expect.arrayContaining(['second.example', 'third.example']));
    });
  });
});
