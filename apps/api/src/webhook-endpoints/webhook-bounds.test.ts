import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, SECOND_MS } from '@mailstead/core/clock';
import { PurgeRecords } from '@mailstead/core/jobs/purge-records';
import { WebhookBacklog } from '@mailstead/core/webhooks/webhook-backlog';
import type { WebhookSender } from '@mailstead/core/webhooks/webhook-sender';
import type { TestApi } from '../testing/api-fixture.js';
import type { Receivers } from './testing/receivers.js';
import { WebhookWorld } from './testing/webhook-world.js';

const MOST_WAITING = 1_000;

onHttpDatabase((kind) => {
  describe('what a partner can do to its webhooks', () => {
    let world: WebhookWorld;
    let api: TestApi;
    let receivers: Receivers;

    beforeAll(async () => {
      world = await WebhookWorld.start(kind);
      ({ api, receivers } = world);
    });
    afterAll(() => world.close());

    const deliver = (turns?: number) => world.deliver(turns);
    async function waiting(id: number): Promise<number> {
      const [row] = await api.database.read(
        'SELECT COUNT(*) AS rows_found FROM webhook_delivery WHERE endpoint_id = ?',
        [id],
      );
      return Number(row?.rows_found);
    }

    it('does not let failed deliveries beyond 1,000 wait, also by delivering again', async () => {
      const client = api.as(await api.key('waiting', { domains_allowed: 0 }));
      const url = 'https://waiting.example/';
      const { body } = await client.post('/webhook-endpoints', { url, types: ['domain.created'] }).expect(201);
      const { id } = body as { id: number };
      await deliver();
      for (const name of ['a', 'b', 'c'])
        await client.post('/domains/', { name: `${name}-waiting.example` }).expect(201);
      await deliver();
      const positions = receivers.events(url).map((event) => event.id);
      const later = api.clock.now().getTime() * 2;
      const rows = Array.from({ length: MOST_WAITING }, (_, index) => `(${id}, ${10_000 + index}, 1, ${later}, 0)`);
      await api.database.write(
        `INSERT INTO webhook_delivery (endpoint_id, position, attempts, next_at, is_held) VALUES ${rows.join(', ')}`,
      );
      receivers.answers.set(url, { outcome: 'status', status: 500 });
      receivers.received.length = 0;
      const range = { after: (positions[0] ?? 0) - 1, until: positions[2] };
      await client.post(`/webhook-endpoints/${id}/redeliver`, range).expect(202);
      await deliver();
      expect(await waiting(id)).toBe(MOST_WAITING);
      await client.post(`/webhook-endpoints/${id}/redeliver`, range).expect(409);
      await api.database.write('DELETE FROM webhook_delivery WHERE endpoint_id = ?', [id]);
      receivers.answers.delete(url);
      api.clock.advance(6 * SECOND_MS);
      await deliver();
      expect(receivers.events(url).map((event) => event.id)).toEqual(positions);
    });

    it('ends by 410, also when it is the answer to a webhook.gap', async () => {
      const client = api.as(await api.key('leaving', { domains_allowed: 0 }));
      const url = 'https://leaving.example/';
      const { body } = await client.post('/webhook-endpoints', { url, types: ['domain.created'] }).expect(201);
      await deliver();
      await client.post('/domains/', { name: 'lost.example' }).expect(201);
      await world.give();
      api.clock.advance(91 * DAY_MS);
      await client.post('/domains/', { name: 'kept.example' }).expect(201);
      await api.container.get(PurgeRecords).execute();
      receivers.answers.set(url, { outcome: 'status', status: 410 });
      await deliver();
      const shown = await client.get(`/webhook-endpoints/${(body as { id: number }).id}`).expect(200);
      expect(shown.body).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
      expect(receivers.bodies(url).map(({ type }) => type)).toEqual(['webhook.challenge', 'webhook.gap']);
    });

    it('is not ended by what the former URL answers after a change of the URL', async () => {
      const client = api.as(await api.key('moving', { domains_allowed: 0 }));
      const [former, next] = ['https://former.example/', 'https://next.example/'];
      const { body } = await client.post('/webhook-endpoints', { url: former, types: ['domain.created'] }).expect(201);
      const path = `/webhook-endpoints/${(body as { id: number }).id}`;
      await deliver();
      await client.post('/domains/', { name: 'moving.example' }).expect(201);
      const change: WebhookSender['post'] = async (url, ...others) => {
        if (url !== former) return receivers.post(url, ...others);
        await client.put(path, { url: next }).expect(200);
        return { outcome: 'status', status: 410, answer: '' };
      };
      world.postWith(change);
      await deliver();
      api.clock.advance(6 * SECOND_MS);
      await deliver();
      world.postWith(receivers.post);
      expect((await client.get(path).expect(200)).body).toMatchObject({ status: 'active', url: next });
    });

    it('looks at no more than 20,000 positions at a time for rare types, and saves where it is', async () => {
      const { client, ref, id, url } = await world.anEndpoint('rare');
      await client.post('/domains/', { name: 'common.example' }).expect(201);
      await deliver();
      const last = receivers.events(url)[0]?.id ?? 0;
      // All of the partner and of a type that it does not want.
      const MANY = 20_100;
      const digits = `(SELECT ${Array.from({ length: 28 }, (_, digit) => `${digit} AS n`).join(' UNION ALL SELECT ')})`;
      const [partner] = await api.database.read('SELECT id FROM partner WHERE ref = ?', [ref]);
      await api.database.write(
        `INSERT INTO audit_log (changed_at, actor_kind, actor, action, partner_ref, partner_id, domain, subject, event_type, position)
         SELECT ?, 'client', 'key:1', 'domain.update', ?, ?, 'common.example', 'common.example', 'domain.updated', ? + number
         FROM (SELECT a.n + 28 * b.n + 784 * c.n AS number FROM ${digits} a, ${digits} b, ${digits} c) AS numbers
         WHERE number < ?`,
        [api.clock.now().getTime(), ref, Number(partner?.id), last + 1, MANY],
      );
      await api.database.write('UPDATE event_position SET last_position = last_position + ? WHERE id = 1', [MANY]);
      await client.post('/domains/', { name: 'rare.example' }).expect(201);
      await world.give();
      const backlog = api.container.get(WebhookBacklog);
      const store = backlog.store.bind(backlog);
      let steps = 0;
      backlog.store = (walk, step) => {
        if (walk.endpoint.id === id) steps += 1;
        return steps < 2 || walk.endpoint.id !== id
          ? store(walk, step)
          : Promise.reject(new Error('The database does not answer'));
      };
      // All that is new was told to the endpoint before its walk began.
      await deliver(1);
      backlog.store = store;
      const [row] = await api.database.read('SELECT cursor_at FROM webhook_endpoint WHERE id = ?', [id]);
      const read = Number(row?.cursor_at) - last;
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThanOrEqual(20_000);
      api.clock.advance(6 * SECOND_MS);
      await deliver();
      expect(receivers.events(url).map(({ subject }) => subject)).toEqual(['common.example', 'rare.example']);
      const again = (until: number) =>
        client.post(`/webhook-endpoints/${id}/redeliver`, { after: last - 1, until: last + until });
      expect((await again(MANY).expect(422)).body).toMatchObject({ code: 'too_many_events' });
      expect((await again(19_000).expect(202)).body).toEqual({ events: 1 });
    });

    it('refuses a host that is longer than a name can be', async () => {
      const client = api.as(await api.key('long', { domains_allowed: 0 }));
      const url = `https://${'a.'.repeat(160)}example/`;
      const { body } = await client.post('/webhook-endpoints', { url }).expect(422);
      expect(body).toMatchObject({ errors: [{ field: 'url' }] });
      await client.post('/webhook-endpoints', { url: `https://${'a'.repeat(64)}.example/` }).expect(422);
    });
  });
});
