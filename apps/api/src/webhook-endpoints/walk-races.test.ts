import { Database } from '@mailstead/adapters/database/driver/database';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { waitingForLock } from '@mailstead/adapters/database/testing/lock-waits';
import { EventFeed } from '@mailstead/core/events/event-feed';
import { claimMs } from '@mailstead/core/webhooks/deliver-webhooks';
import { type ClaimedWalk, WebhookBacklog } from '@mailstead/core/webhooks/webhook-backlog';
import { WebhookWorld } from './testing/webhook-world.js';

onEachDatabase((kind) => {
  describe('the end of a walk, while another process tells the endpoint of an event', () => {
    let world: WebhookWorld;

    beforeAll(async () => {
      world = await WebhookWorld.start(kind);
    });
    afterAll(() => world.close());

    /** Begins a walk, whose results the test makes up. */
    async function claimOf(id: number): Promise<ClaimedWalk> {
      const { clock, container } = world.api;
      const until = new Date(clock.now().getTime() + claimMs());
      const claimed = await container.get(WebhookBacklog).claim(clock.now(), until, 10, false);
      const endpoint = claimed.find((each) => each.id === id);
      if (endpoint === undefined) throw new Error(`Endpoint ${id} is not due`);
      return { endpoint, until };
    }

    it('does not hide the event', async () => {
      const { api, receivers } = world;
      const { client, url, id } = await world.anEndpoint('racing');
      const backlog = api.container.get(WebhookBacklog);
      const create = (name: string) => client.post('/domains/', { name }).expect(201);
      await create('first.example');
      await world.give();
      while (await backlog.tell(100, api.clock.now()));
      const { last } = await api.container.get(EventFeed).bounds();
      await create('second.example');
      await world.give();

      let begin: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const claim = await claimOf(id);
      const nothing = { attempts: [], failed: [], ended: [], failingSince: null, redeliverAfter: null };
      const walk = { ...nothing, cursor: last - 1, readTo: last };
      const ended = begun.then(() => backlog.store(claim, walk));
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
      await backlog.release(claim, api.clock.now());

      await create('third.example');
      await world.deliver(1);
      await world.deliver(1);
      const subjects = receivers.events(url).map(({ subject }) => subject);
      expect(subjects).toEqual(expect.arrayContaining(['second.example', 'third.example']));
    });
  });
});
