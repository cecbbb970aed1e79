import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { SealedWebhookSecrets } from '@mailstead/adapters/webhooks/sealed-webhook-secrets';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { PurgeRecords } from '@mailstead/core/jobs/purge-records';
import { MASTER, type TestApi } from '../testing/api-fixture.js';
import type { Receivers } from './testing/receivers.js';
import { WebhookWorld } from './testing/webhook-world.js';

onHttpDatabase((kind) => {
  describe('the owner of a webhook', () => {
    let world: WebhookWorld;
    let api: TestApi;
    let receivers: Receivers;

    beforeAll(async () => {
      world = await WebhookWorld.start(kind);
      ({ api, receivers } = world);
    });
    afterAll(() => world.close());
    beforeEach(() => api.clock.advance(HOUR_MS));

    const subjects = (url: string) => receivers.events(url).map(({ subject }) => subject);

    it('is told what happens while it is suspended', async () => {
      const { ref, url, client, path } = await world.anEndpoint('debtor', { types: null });
      await api.as(MASTER).put(`/partners/${ref}/suspend`, { stage: 'changes' }).expect(200);
      await world.deliver();
      expect(receivers.events(url).map(({ type }) => type)).toContain('partner.suspended');
      expect((await client.get(path).expect(200)).body).toMatchObject({ status: 'active' });
    });

    it('gets nothing that is signed with a secret that SECRET_KEY does not open, and then what it has missed', async () => {
      const { id, url, client, path } = await world.anEndpoint('resealed');
      const other = new SealedWebhookSecrets('another-secret-key-of-the-tests-0123');
      const sealed = [other.seal(other.create(), id), id];
      await api.database.write('UPDATE webhook_endpoint SET secret = ? WHERE id = ?', sealed);
      await client.post('/domains/', { name: 'resealed.example' }).expect(201);
      await world.deliver();
      expect((await client.get(path).expect(200)).body).toMatchObject({ disabled_reason: 'secret_unreadable' });
      const metrics = await api.as(MASTER).get('/metrics').expect(200);
      expect(metrics.text).toContain('mailstead_webhook_endpoints_disabled{reason="secret_unreadable"} 1');
      await world.give();
      const disabled = (await client.get('/events?types=webhook.disabled').expect(200)).body as { subject: string }[];
      expect(disabled.map(({ subject }) => subject)).toEqual([`webhook:${id}`]);
      expect(subjects(url)).toEqual([]);
      await client.post(`${path}/rotate`, { overlap_hours: 1 }).expect(201);
      await client.put(path, { active: true }).expect(200);
      await world.deliver();
      expect(subjects(url)).toEqual(['resealed.example']);
    });

    it('gets challenges and tests alone at a URL that has not answered a challenge', async () => {
      const { client } = await world.aPartner();
      const url = 'https://stranger.example/';
      receivers.answers.set(url, { outcome: 'status', status: 404 });
      const { body } = await client.post('/webhook-endpoints', { url }).expect(201);
      const path = `/webhook-endpoints/${(body as { id: number }).id}`;
      await world.deliver();
      api.clock.advance(MINUTE_MS);
      await client.post(`${path}/test`).expect(200);
      await client.post('/domains/', { name: 'unheard.example' }).expect(201);
      await world.give();
      await world.deliver();
      expect(receivers.bodies(url).map(({ type }) => type)).toEqual(['webhook.challenge', 'webhook.test']);
    });

    it('alone changes it: operators see it without its secret, and delete it', async () => {
      const { ref, id, path } = await world.anEndpoint('watched');
      const master = api.as(MASTER);
      const listed = await master.get(`/webhook-endpoints?partner_ref=${ref}`).expect(200);
      expect((listed.body as { id: number }[]).map((each) => each.id)).toEqual([id]);
      expect(listed.text).not.toContain('whsec');
      const own = (await master.get('/webhook-endpoints').expect(200)).body as { id: number }[];
      expect(own.map((each) => each.id)).not.toContain(id);
      await master.put(path, { description: 'ours' }).expect(403);
      await master.post(`${path}/rotate`, {}).expect(403);
      await master.post(`${path}/redeliver`, { after: 0, until: 1 }).expect(403);
      await master.post('/webhook-endpoints', { url: 'https://made.example/', partner_ref: ref }).expect(422);
      await master.delete(path).expect(204);
      await master.get(path).expect(404);
    });

    it('cannot post more probes to a host by writing its name with a dot at the end', async () => {
      for (let count = 0; count < 10; count += 1) {
        const { client } = await world.aPartner();
        await client.post('/webhook-endpoints', { url: `https://dotted.example/${count}` }).expect(201);
        await world.deliver(1);
      }
      const { client } = await world.aPartner();
      const { body } = await client.post('/webhook-endpoints', { url: 'https://dotted.example./' }).expect(201);
      await world.deliver();
      await client.post(`/webhook-endpoints/${(body as { id: number }).id}/confirm`).expect(429);
      expect(receivers.bodies('https://dotted.example./')).toEqual([]);
    });

    it('is refused a URL that is too long when it is written with its escapes', async () => {
      const { client } = await world.aPartner();
      const url = `https://long.example/${'ü'.repeat(400)}`;
      const { body } = await client.post('/webhook-endpoints', { url }).expect(422);
      expect(body).toMatchObject({ errors: [{ field: 'url' }] });
      await client.post('/webhook-endpoints', { url: `https://long.example/${'ü'.repeat(300)}` }).expect(201);
    });

    it('sees the failed attempts of 30 days, and the newest successes however old they are', async () => {
      const { url, client, path } = await world.anEndpoint('quiet', { types: ['domain.deleted'] });
      receivers.answers.set(url, { outcome: 'status', status: 500 });
      await client.post(`${path}/test`).expect(429);
      api.clock.advance(MINUTE_MS);
      await client.post(`${path}/test`).expect(200);
      const outcomes = async () => {
        const { body } = await client.get(`${path}/attempts`).expect(200);
        return (body as { type: string; outcome: string }[]).map(({ type, outcome }) => `${type} ${outcome}`);
      };
      api.clock.advance(30 * DAY_MS - SECOND_MS);
      expect(await outcomes()).toEqual(['webhook.test status', 'webhook.challenge ok']);
      api.clock.advance(2 * SECOND_MS);
      expect(await outcomes()).toEqual(['webhook.challenge ok']);
      await api.container.get(PurgeRecords).execute();
      expect(await outcomes()).toEqual(['webhook.challenge ok']);
      const rows = await api.database.read(
        "SELECT id FROM webhook_attempt WHERE type = 'webhook.test' AND status = 500",
      );
      expect(rows).toEqual([]);
    });

    it('goes on with the successor of a key that it rotates', async () => {
      const { url, token, client } = await world.anEndpoint('rotating');
      const { body: made } = await client.post('/me/keys', {}).expect(201);
      const key = made as { id: number; token: string };
      const next = `${url}made`;
      await api
        .as(key.token)
        .post('/webhook-endpoints', { url: next, types: ['domain.created'] })
        .expect(201);
      await world.deliver();
      await client.post(`/me/keys/${key.id}/rotate`, {}).expect(201);
      await client.delete(`/me/keys/${key.id}`).expect(204);
      await api.as(token).post('/domains/', { name: 'rotating.example' }).expect(201);
      await world.deliver();
      expect([subjects(url), subjects(next)]).toEqual([['rotating.example'], ['rotating.example']]);
    });
  });
});
