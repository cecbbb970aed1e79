import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { EventFeed } from '@mailstead/core/events/event-feed';
import { PurgeRecords } from '@mailstead/core/jobs/purge-records';
import { until } from '@mailstead/core/testing/until';
import { claimMs, DeliverWebhooks } from '@mailstead/core/webhooks/deliver-webhooks';
import { MASTER, READ, type TestApi } from '../testing/api-fixture.js';
import { type Receivers, verify } from './testing/receivers.js';
import { WebhookWorld } from './testing/webhook-world.js';

interface Endpoint {
  id: number;
  url: string;
  status: string;
  disabled_reason: string | null;
  secret: string;
}

onHttpDatabase((kind) => {
  describe('webhooks', () => {
    let world: WebhookWorld;
    let api: TestApi;
    let receivers: Receivers;

    beforeAll(async () => {
      world = await WebhookWorld.start(kind);
      ({ api, receivers } = world);
    });
    afterAll(() => world.close());
    beforeEach(() => {
      receivers.received.length = 0;
      receivers.answers.clear();
      api.clock.advance(HOUR_MS);
    });

    const aPartner = () => world.aPartner();
    const deliver = (turns?: number) => world.deliver(turns);
    async function anEndpoint(token: string, url: string, body: object = {}): Promise<Endpoint> {
      const { body: made } = await api
        .as(token)
        .post('/webhook-endpoints', { url, ...body })
        .expect(201);
      expect(made).toMatchObject({ status: 'unconfirmed' });
      await deliver();
      return made as Endpoint;
    }
    const shown = async (token: string, id: number) =>
      (await api.as(token).get(`/webhook-endpoints/${id}`).expect(200)).body as Endpoint;

    it('are confirmed by the answer to a signed challenge, and then get what happens, as GET /events shows it', async () => {
      const { token, client, ref } = await aPartner();
      const url = 'https://one.example/hook';
      const { id, secret } = await anEndpoint(token, url);
      const challenge = receivers.last(url);
      expect(verify(secret, challenge)).toMatchObject({
        type: 'webhook.challenge',
        challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      });
      expect(await shown(token, id)).toMatchObject({ status: 'active', partner_ref: ref });
      expect(JSON.stringify(await shown(token, id))).not.toContain('whsec');
      await client.post('/domains/', { name: `${ref}.example` }).expect(201);
      await deliver();
      const feed = (await client.get('/events?order=desc&limit=1')).text;
      const delivered = receivers.last(url);
      expect(`[${delivered.body}]`).toBe(feed);
      expect(delivered.headers['webhook-id']).toBe(`${String((JSON.parse(feed) as [{ id: number }])[0].id)}-${id}`);
      verify(secret, delivered);
      expect(Object.keys(delivered.headers)).not.toContain('accept-encoding');
    });

    it('begin at the newest position, and hear of no other partner', async () => {
      const first = await aPartner();
      const second = await aPartner();
      await first.client.post('/domains/', { name: `early-${first.ref}.example` }).expect(201);
      await deliver();
      await anEndpoint(first.token, 'https://two.example/');
      await second.client.post('/domains/', { name: `${second.ref}.example` }).expect(201);
      await first.client.post('/domains/', { name: `late-${first.ref}.example` }).expect(201);
      await deliver();
      const domains = receivers.events('https://two.example/').filter(({ type }) => type === 'domain.created');
      expect(domains.map(({ subject }) => subject)).toEqual([`late-${first.ref}.example`]);
    });

    it('of the operators get the events of all partners', async () => {
      const { client, ref } = await aPartner();
      const { id } = await anEndpoint(MASTER, 'https://operators.example/', { types: ['domain.*'] });
      await client.post('/domains/', { name: `${ref}.example` }).expect(201);
      await deliver();
      expect(receivers.events('https://operators.example/').map(({ subject }) => subject)).toEqual([`${ref}.example`]);
      const list = await api.as(MASTER).get('/webhook-endpoints').expect(200);
      expect((list.body as Endpoint[]).map((each) => each.id)).toEqual([id]);
      await api.as(MASTER).delete(`/webhook-endpoints/${id}`).expect(204);
    });

    it('get only the types that they name, and go on after others', async () => {
      const { token, client, ref } = await aPartner();
      await anEndpoint(token, 'https://types.example/', { types: ['mailbox.*', 'domain.deleted'] });
      await client.post('/domains/', { name: `${ref}.example` }).expect(201);
      await deliver();
      await client.delete(`/domains/${ref}.example`).expect(204);
      await deliver();
      expect(receivers.events('https://types.example/').map(({ type }) => type)).toEqual(['domain.deleted']);
    });

    it('repeat what failed with the same id, on the waits of notifications, and go on with the next events', async () => {
      const { token, client, ref } = await aPartner();
      const url = 'https://failing.example/';
      const { id } = await anEndpoint(token, url, { types: ['domain.created'] });
      receivers.received.length = 0;
      receivers.answers.set(url, { outcome: 'status', status: 500 });
      await client.post('/domains/', { name: `a-${ref}.example` }).expect(201);
      await deliver();
      receivers.answers.set(url, 'echo');
      api.clock.advance(4 * SECOND_MS);
      await client.post('/domains/', { name: `b-${ref}.example` }).expect(201);
      await deliver();
      api.clock.advance(2 * SECOND_MS);
      await deliver();
      const got = receivers.received.map(({ headers, body }) => [
        headers['webhook-id'],
        (JSON.parse(body) as { subject: string }).subject,
      ]);
      expect(got.map(([, subject]) => subject)).toEqual([`a-${ref}.example`, `b-${ref}.example`, `a-${ref}.example`]);
      expect(got[2]?.[0]).toBe(got[0]?.[0]);
      const { body } = await client.get(`/webhook-endpoints/${id}/attempts`).expect(200);
      expect(
        (body as { outcome: string; status: number }[]).map(({ outcome, status }) => `${outcome} ${status}`),
      ).toEqual(['ok 200', 'ok 200', 'status 500', 'ok 200']);
    });

    it('end after a 410, and begin again with what it refused', async () => {
      const { token, client, ref } = await aPartner();
      const url = 'https://gone.example/';
      const { id } = await anEndpoint(token, url, { types: ['domain.created'] });
      receivers.answers.set(url, { outcome: 'status', status: 410 });
      await client.post('/domains/', { name: `a-${ref}.example` }).expect(201);
      await deliver();
      expect(await shown(token, id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
      await client.post('/domains/', { name: `b-${ref}.example` }).expect(201);
      receivers.received.length = 0;
      await deliver();
      expect(receivers.received).toEqual([]);
      receivers.answers.delete(url);
      await client.put(`/webhook-endpoints/${id}`, { active: true }).expect(200);
      await deliver();
      expect(receivers.events(url).map(({ subject }) => subject)).toEqual([`a-${ref}.example`, `b-${ref}.example`]);
      const { body } = await client.get('/events?types=webhook.disabled').expect(200);
      expect(body).toMatchObject([{ subject: `webhook:${id}`, actor: 'webhooks' }]);
    });

    it('end after three days of failures', async () => {
      const { token, client, ref } = await aPartner();
      const url = 'https://dead.example/';
      const { id } = await anEndpoint(token, url, { types: ['domain.created'] });
      receivers.answers.set(url, { outcome: 'refused', status: null });
      await client.post('/domains/', { name: `${ref}.example` }).expect(201);
      await deliver();
      for (let passed = 0; passed < 4 * DAY_MS; passed += 10 * HOUR_MS) {
        api.clock.advance(10 * HOUR_MS);
        await deliver(1);
      }
      expect(await shown(token, id)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
    });

    it('get a webhook.gap before what follows, when events left the feed before they were delivered', async () => {
      const { token, client, ref } = await aPartner();
      const url = 'https://away.example/';
      const { id } = await anEndpoint(token, url, { types: ['domain.created'] });
      await client.post('/domains/', { name: `lost-${ref}.example` }).expect(201);
      await world.give();
      const { last } = await api.container.get(EventFeed).bounds();
      api.clock.advance(91 * DAY_MS);
      await client.post('/domains/', { name: `kept-${ref}.example` }).expect(201);
      await api.container.get(PurgeRecords).execute();
      receivers.answers.set(url, { outcome: 'status', status: 500 });
      await deliver();
      expect(receivers.bodies(url).map(({ type }) => type)).not.toContain('domain.created');
      receivers.answers.delete(url);
      receivers.received.length = 0;
      for (let turn = 0; turn < 3; turn += 1) {
        api.clock.advance(MINUTE_MS);
        await deliver();
      }
      const [gap, ...others] = receivers.bodies(url);
      expect(gap).toMatchObject({ type: 'webhook.gap', until: last });
      expect(gap?.after).toBeLessThan(last);
      expect(receivers.received[0]?.headers['webhook-id']).toBe(`gap-${last}-${id}`);
      expect(others.map(({ subject }) => subject)).toEqual([`kept-${ref}.example`]);
    });

    it('are repeated after a stop in the middle of a delivery, and none is skipped', async () => {
      const { token, client, ref } = await aPartner();
      const url = 'https://slow.example/';
      await anEndpoint(token, url, { types: ['domain.created'] });
      receivers.answers.set(url, 'hang');
      for (const name of ['a', 'b', 'c'])
        await client.post('/domains/', { name: `${name}-${ref}.example` }).expect(201);
      await world.give();
      await world.turn();
      await until('the deliveries to hang', () => receivers.events(url).length === 3);
      // The process is killed: nothing of the walk is stored. Another one takes over when the claim has ended.
      receivers.answers.delete(url);
      receivers.received.length = 0;
      const other = await startAgain();
      api.clock.advance(claimMs() + SECOND_MS);
      await other.turn(async () => undefined);
      await other.idle();
      expect(receivers.events(url).map(({ subject }) => subject)).toEqual(
        ['a', 'b', 'c'].map((name) => `${name}-${ref}.example`),
      );
      receivers.release();
      await world.deliveries.idle();
    });
    async function startAgain(): Promise<DeliverWebhooks> {
      const parts = world.deliveries as unknown as Record<string, unknown>;
      return Object.assign(Object.create(DeliverWebhooks.prototype) as DeliverWebhooks, parts, {
        walks: new Map(),
        stopping: new AbortController(),
      });
    }

    it('sign with both secrets during the overlap of a rotation', async () => {
      const { token, client } = await aPartner();
      const url = 'https://rotated.example/';
      const { id, secret } = await anEndpoint(token, url);
      const { body } = await client.post(`/webhook-endpoints/${id}/rotate`, { overlap_hours: 1 }).expect(201);
      const next = (body as Endpoint).secret;
      api.clock.advance(MINUTE_MS);
      expect((await client.post(`/webhook-endpoints/${id}/test`).expect(200)).body).toEqual({
        outcome: 'ok',
        status: 200,
      });
      for (const each of [secret, next])
        expect(verify(each, receivers.last(url))).toMatchObject({ type: 'webhook.test' });
      api.clock.advance(HOUR_MS);
      await client.post(`/webhook-endpoints/${id}/test`).expect(200);
      expect(() => verify(secret, receivers.last(url))).toThrow('No matching signature');
    });

    it('deliver the events between two positions again, once', async () => {
      const { token, client, ref } = await aPartner();
      const url = 'https://again.example/';
      const { id } = await anEndpoint(token, url, { types: ['domain.created'] });
      for (const name of ['a', 'b', 'c'])
        await client.post('/domains/', { name: `${name}-${ref}.example` }).expect(201);
      await deliver();
      const positions = receivers.events(url).map((event) => event.id);
      receivers.received.length = 0;
      const range = { after: positions[0], until: positions[2] };
      const { body } = await client.post(`/webhook-endpoints/${id}/redeliver`, range).expect(202);
      expect(body).toEqual({ events: 2 });
      await client.post(`/webhook-endpoints/${id}/redeliver`, range).expect(409);
      await deliver();
      expect(receivers.events(url).map((event) => event.id)).toEqual(positions.slice(1));
      await client.post(`/webhook-endpoints/${id}/redeliver`, { after: 0, until: 10 ** 9 }).expect(422);
    });

    it('are challenged and tested only now and then, also by delete and create', async () => {
      const { token, client } = await aPartner();
      const url = 'https://probed.example/';
      const { id } = await anEndpoint(token, url);
      const refused = await client.post(`/webhook-endpoints/${id}/test`).expect(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      await client.delete(`/webhook-endpoints/${id}`).expect(204);
      for (let count = 0; count < 9; count += 1) {
        const made = await anEndpoint(token, url);
        await client.delete(`/webhook-endpoints/${made.id}`).expect(204);
      }
      const { id: last } = await anEndpoint(token, url);
      expect(await shown(token, last)).toMatchObject({ status: 'unconfirmed' });
      await client.post(`/webhook-endpoints/${last}/confirm`).expect(429);
    });

    it.each([
      'http://example.com/',
      'https://example.com:8443/',
      'https://user@example.com/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://[::127.0.0.1]/',
      'https://[64:ff9b::10.0.0.1]/',
      'https://[2002:a00:1::]/',
      'https://[fd00::1]/',
      'https://[fe80::1]/',
      'https://169.254.169.254/latest/meta-data',
      'https://localhost/',
      'ftp://example.com/',
      'example.com',
    ])('refuse the URL %s', async (url) => {
      const { client } = await aPartner();
      const { body } = await client.post('/webhook-endpoints', { url }).expect(422);
      expect(body).toMatchObject({ errors: [{ field: 'url' }] });
    });

    it('are at most five, of known types, and absent for other partners', async () => {
      const { token, client } = await aPartner();
      const { id } = await anEndpoint(token, 'https://own.example/');
      for (const types of [[], ['nothing.*'], ['domain.unknown']]) {
        await client.post('/webhook-endpoints', { url: 'https://own.example/', types }).expect(422);
      }
      for (let more = 1; more < 5; more += 1) {
        await client.post('/webhook-endpoints', { url: `https://own${more}.example/` }).expect(201);
      }
      await client.post('/webhook-endpoints', { url: 'https://own6.example/' }).expect(409);
      const other = await aPartner();
      for (const path of [`/webhook-endpoints/${id}`, `/webhook-endpoints/${id}/attempts`]) {
        await other.client.get(path).expect(404);
      }
      await other.client.put(`/webhook-endpoints/${id}`, { active: false }).expect(404);
      await other.client.delete(`/webhook-endpoints/${id}`).expect(404);
      await api.as(MASTER).put(`/webhook-endpoints/${id}`, { active: false }).expect(403);
      await api.as(READ).get(`/webhook-endpoints/${id}`).expect(200);
    });

    it('end with the key that made them, and go on for the key that takes them over', async () => {
      const { ref, token, client } = await aPartner();
      const { body: second } = await client.post('/me/keys', {}).expect(201);
      const made = second as { id: number; token: string };
      const url = 'https://keys.example/';
      const { id } = await anEndpoint(made.token, url, { types: ['domain.created'] });
      await client.delete(`/me/keys/${made.id}`).expect(204);
      await client.post('/domains/', { name: `${ref}.example` }).expect(201);
      await deliver();
      expect(await shown(token, id)).toMatchObject({ status: 'disabled', disabled_reason: 'key_ended' });
      expect(receivers.events(url)).toEqual([]);
      const { body } = await client.put(`/webhook-endpoints/${id}`, { active: true }).expect(200);
      expect(body).toMatchObject({ status: 'unconfirmed' });
      await deliver();
      api.clock.advance(6 * SECOND_MS);
      await deliver();
      expect(receivers.events(url).map(({ subject }) => subject)).toEqual([`${ref}.example`]);
    });
  });
});
