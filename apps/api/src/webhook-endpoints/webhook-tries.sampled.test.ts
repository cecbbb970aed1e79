import { Database } from '@mailstead/adapters/database/driver/database';
import {
  DATABASE_KINDS,
  type DatabaseKind,
  onEachDatabase,
} from '@mailstead/adapters/database/testing/database-fixture';
import { waitingForLock } from '@mailstead/adapters/database/testing/lock-waits';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { EventFeed } from '@mailstead/core/events/event-feed';
import { PurgeRecords } from '@mailstead/core/jobs/purge-records';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { claimMs } from '@mailstead/core/webhooks/deliver-webhooks';
import { type ClaimedWalk, WebhookBacklog } from '@mailstead/core/webhooks/webhook-backlog';
import type { WebhookSender } from '@mailstead/core/webhooks/webhook-sender';
import type { TestApi } from '../testing/api-fixture.js';
import type { Receivers } from './testing/receivers.js';
import { WebhookWorld } from './testing/webhook-world.js';

/** The databases on which every case is tested. What is stored of tries and claims is tested on each. */
const EVERY_CASE_ON: readonly DatabaseKind[] = DATABASE_KINDS.slice(0, sampleSize(2, 1));
const FAILED = { outcome: 'status', status: 500 } as const;

onEachDatabase((kind) => {
  let world: WebhookWorld;
  let api: TestApi;
  let receivers: Receivers;

  beforeAll(async () => {
    world = await WebhookWorld.start(kind);
    ({ api, receivers } = world);
  });
  afterAll(() => world.close());

  describe('the end of a walk, while another process tells the endpoint of an event', () => {
    /** Begins a walk, whose results the test makes up. */
    async function claimOf(id: number): Promise<ClaimedWalk> {
      const { clock, container } = api;
      const until = new Date(clock.now().getTime() + claimMs());
      const claimed = await container.get(WebhookBacklog).claim(clock.now(), until, 10, false);
      const endpoint = claimed.find((each) => each.id === id);
      if (endpoint === undefined) throw new Error(`Endpoint ${id} is not due`);
      return { endpoint, until };
    }

    it('does not hide the event', async () => {
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

  describe('the tries of deliveries to webhooks', () => {
    beforeEach(() => api.clock.advance(HOUR_MS));

    const deliver = (turns?: number) => world.deliver(turns);
    const anEndpoint = (name: string) => world.anEndpoint(name);
    const tries = (id: number) =>
      api.database.read('SELECT attempts, next_at FROM webhook_delivery WHERE endpoint_id = ? ORDER BY position', [id]);

    it('go on as they were when a run of redeliver fails for what waits, and end when it arrives', async () => {
      const { client, url, id, path } = await anEndpoint('tried');
      receivers.answers.set(url, FAILED);
      await client.post('/domains/', { name: 'tried.example' }).expect(201);
      await deliver();
      api.clock.advance(6 * SECOND_MS);
      await deliver();
      const waiting = await tries(id);
      expect(waiting).toMatchObject([{ attempts: 2 }]);
      const position = receivers.events(url).at(-1)?.id ?? 0;
      const range = { after: position - 1, until: position };
      api.clock.advance(6 * SECOND_MS);
      await client.post(`${path}/redeliver`, range).expect(202);
      await deliver();
      expect(await tries(id)).toEqual(waiting);
      receivers.answers.delete(url);
      api.clock.advance(6 * SECOND_MS);
      await client.post(`${path}/redeliver`, range).expect(202);
      await deliver();
      expect(await tries(id)).toEqual([]);
      const before = receivers.events(url).length;
      api.clock.advance(10 * MINUTE_MS);
      await deliver();
      expect(receivers.events(url)).toHaveLength(before);
    });

    it('go on when the clock was set back by an hour after a process was killed', async () => {
      const { client, url, id } = await anEndpoint('claimed');
      const now = api.clock.now().getTime();
      await client.post('/domains/', { name: 'claimed.example' }).expect(201);
      await api.database.write(
        'UPDATE webhook_endpoint SET claimed_until = ?, wake_at = ?, is_behind = 1 WHERE id = ?',
        [now + 2 * MINUTE_MS, now, id],
      );
      api.clock.advance(-HOUR_MS);
      await deliver();
      expect(receivers.events(url).map(({ subject }) => subject)).toEqual(['claimed.example']);
    });

    it('keep the waits and claims that they may have when a process starts', async () => {
      const { client, url, id } = await anEndpoint('kept');
      receivers.answers.set(url, FAILED);
      await client.post('/domains/', { name: 'kept.example' }).expect(201);
      await deliver();
      const read = 'SELECT claimed_until, wake_at FROM webhook_endpoint WHERE id = ?';
      const claimed = [api.clock.now().getTime() + 2 * MINUTE_MS, id];
      await api.database.write('UPDATE webhook_endpoint SET claimed_until = ? WHERE id = ?', claimed);
      const before = [await tries(id), await api.database.read(read, [id])];
      await api.container.get(WebhookBacklog).endLongWaits(api.clock.now());
      expect([await tries(id), await api.database.read(read, [id])]).toEqual(before);
    });

    it('at the former URL that end after a change of the URL do not count for the new one', async () => {
      const { client, url, id, path } = await anEndpoint('former');
      receivers.answers.set(url, FAILED);
      await client.post('/domains/', { name: 'former.example' }).expect(201);
      await deliver();
      api.clock.advance(6 * SECOND_MS);
      const next = 'https://changed.example/';
      const change: WebhookSender['post'] = async (to, ...others) => {
        if (to !== url) return receivers.post(to, ...others);
        await client.put(path, { url: next }).expect(200);
        await client.post(`${path}/confirm`).expect(200);
        return { ...FAILED, answer: '' };
      };
      world.postWith(change);
      await deliver(1);
      world.postWith(receivers.post);
      expect(await tries(id)).toMatchObject([{ attempts: 1 }]);
      const read = 'SELECT status, failing_since FROM webhook_endpoint WHERE id = ?';
      expect(await api.database.read(read, [id])).toMatchObject([{ status: 'active', failing_since: null }]);
      await deliver(1);
      expect(receivers.events(next).map(({ subject }) => subject)).toEqual(['former.example']);
    });

    if (EVERY_CASE_ON.includes(kind)) {
      it('go on when the clock was set back by an hour while one waited', async () => {
        const { client, url } = await anEndpoint('waited');
        receivers.answers.set(url, FAILED);
        await client.post('/domains/', { name: 'waited.example' }).expect(201);
        await deliver();
        receivers.answers.delete(url);
        api.clock.advance(-HOUR_MS);
        await deliver();
        expect(receivers.events(url).map(({ subject }) => subject)).toEqual(['waited.example', 'waited.example']);
      });

      it('at a new URL begin without webhook.gap when only events of others left the feed', async () => {
        const { url, path, client } = await anEndpoint('quiet');
        const others = await anEndpoint('loud');
        await others.client.post('/domains/', { name: 'loud-old.example' }).expect(201);
        await deliver();
        api.clock.advance(91 * DAY_MS);
        await others.client.post('/domains/', { name: 'loud-new.example' }).expect(201);
        await deliver();
        await api.container.get(PurgeRecords).execute();
        const next = `${url}next`;
        await client.put(path, { url: next }).expect(200);
        await deliver();
        await client.post('/domains/', { name: 'quiet.example' }).expect(201);
        await deliver();
        expect(receivers.bodies(next).map(({ type }) => type)).toEqual(['webhook.challenge', 'domain.created']);
      });

      it('go on some seconds after the database did not answer, not when the claim of the process would end', async () => {
        const { client, url } = await anEndpoint('unlucky');
        const backlog = api.container.get(WebhookBacklog);
        const store = backlog.store.bind(backlog);
        backlog.store = () => Promise.reject(new Error('The database does not answer'));
        await client.post('/domains/', { name: 'unlucky.example' }).expect(201);
        await deliver(1);
        backlog.store = store;
        receivers.received.length = 0;
        await deliver(1);
        expect(receivers.events(url)).toEqual([]);
        api.clock.advance(6 * SECOND_MS);
        await deliver(1);
        expect(receivers.events(url).map(({ subject }) => subject)).toEqual(['unlucky.example']);
      });
    }
  });
});
