import {
  DATABASE_KINDS,
  type DatabaseKind,
  onEachDatabase,
} from '@mailstead/adapters/database/testing/database-fixture';
import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { until } from '@mailstead/core/testing/until';
import { claimMs } from '@mailstead/core/webhooks/deliver-webhooks';
import { WebhookBacklog } from '@mailstead/core/webhooks/webhook-backlog';
import type { WebhookSender } from '@mailstead/core/webhooks/webhook-sender';
import { MASTER, startTwoReplicas, type TestApi } from '../testing/api-fixture.js';
import { WebhookWorld } from './testing/webhook-world.js';

type Endpoint = Awaited<ReturnType<WebhookWorld['anEndpoint']>>;

/** More than one step of a walk has. */
const EVENTS = 22;
/** The databases on which every change is tested. Types, and claims of two processes, are tested on each. */
const EVERY_CHANGE_ON: readonly DatabaseKind[] = DATABASE_KINDS.slice(0, sampleSize(2, 1));

onEachDatabase((kind) => {
  describe('a webhook that changes while its events are delivered', () => {
    let apis: [TestApi, TestApi];
    let world: WebhookWorld;
    /** Another process. */
    let other: WebhookWorld;
    let rounds = 0;

    beforeAll(async () => {
      apis = await startTwoReplicas(kind);
      [world, other] = [WebhookWorld.of(apis[0]), WebhookWorld.of(apis[1])];
    });
    afterAll(async () => {
      await other.close();
      await world.close();
    });
    afterEach(() => {
      for (const each of [world, other]) {
        each.receivers.answers.clear();
        each.receivers.received.length = 0;
        each.postWith(each.receivers.post);
      }
    });

    const advance = (ms: number) => {
      for (const { clock } of apis) clock.advance(ms);
    };
    async function domains({ client, ref }: Endpoint, count: number): Promise<string[]> {
      rounds += 1;
      const names = Array.from({ length: count }, (_, index) => `d${String(index + 10)}-${rounds}-${ref}.example`);
      const { body } = await client.post('/domains/bulk', { items: names.map((name) => ({ name })) }).expect(200);
      expect(body).toEqual(names.map(() => expect.objectContaining({ status: 201 })));
      await world.give();
      return names;
    }
    const subjects = ({ url }: Endpoint, at = world) => at.receivers.events(url).map(({ subject }) => subject);
    /** Runs something once, when the first event arrives, before it is answered. */
    function whenFirstArrives({ url }: Endpoint, work: () => Promise<unknown>): void {
      let isFirst = true;
      const post: WebhookSender['post'] = async (to, headers, body, options) => {
        if (to === url && isFirst) {
          isFirst = false;
          await work();
        }
        return world.receivers.post(to, headers, body, options);
      };
      world.postWith(post);
    }

    it('gets the events of types that it wants from now on, also when the walk began before', async () => {
      const endpoint = await world.anEndpoint('widened');
      const { client, path, url } = endpoint;
      const names = await domains(endpoint, EVENTS);
      const [last = ''] = names.slice(-1);
      whenFirstArrives(endpoint, async () => {
        await client.put(path, { types: ['domain.created', 'domain.deleted'] }).expect(200);
        await client.delete(`/domains/${last}`).expect(204);
        await world.give();
      });
      await world.deliver();
      const got = world.receivers.events(url);
      expect(got.filter(({ type }) => type === 'domain.deleted').map(({ subject }) => subject)).toEqual([last]);
      expect(
        got
          .filter(({ type }) => type === 'domain.created')
          .map(({ subject }) => subject)
          .toSorted(),
      ).toEqual(names);
    });

    it('gets the events of types that it wants from now on, also when its walk reads a page without any', async () => {
      const endpoint = await world.anEndpoint('emptied');
      const { client, path, id } = endpoint;
      const [name = ''] = await domains(endpoint, 1);
      await world.deliver();
      await client.put(`/domains/${name}/suspend`, {}).expect(200);
      const backlog = apis[0].container.get(WebhookBacklog);
      const due = backlog.due.bind(backlog);
      // After the claim of the walk, and before its first page.
      backlog.due = async (...given) => {
        if (given[0] === id) {
          backlog.due = due;
          await client.put(path, { types: ['domain.deleted'] }).expect(200);
          await client.delete(`/domains/${name}`).expect(204);
          await world.give();
        }
        return due(...given);
      };
      await world.deliver();
      const types = world.receivers.events(endpoint.url).map(({ type }) => type);
      expect(types).toEqual(['domain.created', 'domain.deleted']);
    });

    it('is walked by one process when another one stood still until its claim had ended', async () => {
      const endpoint = await world.anEndpoint('frozen');
      const { url, id } = endpoint;
      for (const each of [world, other]) each.receivers.answers.set(url, 'hang');
      const [name] = await domains(endpoint, 1);
      await world.turn();
      await until('the delivery of the first process', async () => subjects(endpoint).length === 1);
      advance(claimMs() + SECOND_MS);
      await other.turn();
      await until('the delivery of the second process', async () => subjects(endpoint, other).length === 1);
      // The first one goes on: what it found out is from before, and the second one still holds the claim.
      world.receivers.release();
      await world.deliveries.idle();
      await world.deliver();
      expect(subjects(endpoint)).toEqual([name]);
      other.receivers.answers.delete(url);
      other.receivers.release('ok');
      await other.deliveries.idle();
      const waiting = await apis[0].database.read('SELECT position FROM webhook_delivery WHERE endpoint_id = ?', [id]);
      expect(waiting).toEqual([]);
      advance(MINUTE_MS);
      await world.deliver();
      expect([subjects(endpoint), subjects(endpoint, other)]).toEqual([[name], [name]]);
    });

    if (EVERY_CHANGE_ON.includes(kind)) {
      it.each<[string, (endpoint: Endpoint) => Promise<unknown>]>([
        ['was switched off', ({ client, path }) => client.put(path, { active: false }).expect(200)],
        ['was deleted', ({ client, path }) => client.delete(path).expect(204)],
        ['has another secret', ({ client, path }) => client.post(`${path}/rotate`, { overlap_hours: 0 }).expect(201)],
        ['has another URL', ({ client, path }) => client.put(path, { url: 'https://elsewhere.example/' }).expect(200)],
      ])('begins no further delivery half a second after it %s', async (_, change) => {
        const endpoint = await world.anEndpoint(`changed${rounds}`);
        world.receivers.answers.set(endpoint.url, 'hang');
        await domains(endpoint, 6);
        await world.turn();
        await until('the first deliveries', async () => subjects(endpoint).length === 4);
        await change(endpoint);
        world.receivers.answers.set(endpoint.url, 'echo');
        await world.turn();
        world.receivers.release();
        await world.deliveries.idle();
        expect(subjects(endpoint)).toHaveLength(4);
      });

      it('begins no further delivery a second after the key that made it has ended', async () => {
        const { client, ref, token } = await world.aPartner();
        const { body: made } = await client.post('/me/keys', {}).expect(201);
        const key = made as { id: number; token: string };
        const url = 'https://ending.example/';
        const types = ['domain.created'];
        const { body } = await apis[0].as(key.token).post('/webhook-endpoints', { url, types }).expect(201);
        const { id, secret } = body as { id: number; secret: string };
        await world.deliver();
        const endpoint = { client, ref, token, url, id, secret, path: `/webhook-endpoints/${id}` };
        await domains(endpoint, 8);
        whenFirstArrives(endpoint, async () => {
          await client.delete(`/me/keys/${key.id}`).expect(204);
          advance(SECOND_MS);
        });
        await world.deliver();
        expect(subjects(endpoint).length).toBeLessThanOrEqual(4);
        const shown = await client.get(endpoint.path).expect(200);
        expect(shown.body).toMatchObject({ status: 'disabled', disabled_reason: 'key_ended' });
      });

      it('ends when the key that made it is limited to domains', async () => {
        const endpoint = await world.anEndpoint('narrowed');
        const { client, path, token } = endpoint;
        const [name = ''] = await domains(endpoint, 1);
        await world.deliver();
        await apis[0]
          .as(MASTER)
          .post('/api-keys/', { token: `other-${token}`, partner_ref: endpoint.ref })
          .expect(201);
        await apis[0]
          .as(MASTER)
          .put(`/api-keys/${token}`, { domains: [name] })
          .expect(200);
        await apis[0]
          .as(`other-${token}`)
          .post('/domains/', { name: `more-${name}` })
          .expect(201);
        await world.deliver();
        expect(subjects(endpoint)).toEqual([name]);
        await client.get(path).expect(403);
        const shown = await apis[0].as(`other-${token}`).get(path).expect(200);
        expect(shown.body).toMatchObject({ status: 'disabled', disabled_reason: 'key_ended' });
      });

      it('is challenged at its new URL while the former one hangs', async () => {
        const endpoint = await world.anEndpoint('hanging');
        world.receivers.answers.set(endpoint.url, 'hang');
        const names = await domains(endpoint, 6);
        await world.turn();
        await until('the deliveries to hang', async () => subjects(endpoint).length === 4);
        const url = 'https://answering.example/';
        advance(MINUTE_MS);
        await endpoint.client.put(endpoint.path, { url }).expect(200);
        await until('the challenge at the new URL', async () => {
          await world.turn();
          return world.receivers.bodies(url).length > 0;
        });
        await world.deliver();
        expect(subjects({ ...endpoint, url })).toEqual(names);
        world.receivers.release();
        await world.deliveries.idle();
      });
    }
  });
});
