import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { verifyDomain } from '../testing/verify-domain.js';

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let rival: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    rival = await api.key('rival');
  });
  afterAll(() => api.close());

  const code = (response: { body: { code: string } }) => response.body.code;

  describe('retention and transfer', () => {
    it.each([
      ['retention', 'retention_days', 36_500],
      ['transfer', 'transfer_monthly_mb', 1_073_741_824],
    ])('%s is readable by its partner and writable by master, within its bounds', async (path, field, max) => {
      const name = `limits-${path}.example`;
      await api.as(acme).post('/domains/', { name }).expect(201);
      expect((await api.as(acme).get(`/domains/${name}/${path}`).expect(200)).body).toEqual({
        name,
        [field]: 0,
        revision: 1,
      });
      expect(
        code(
          await api
            .as(acme)
            .put(`/domains/${name}/${path}`, { [field]: 5 })
            .expect(403),
        ),
      ).toBe('master_token_required');
      for (const bad of [-1, max + 1, 1.5, '5', null, true]) {
        await api
          .as(MASTER)
          .put(`/domains/${name}/${path}`, { [field]: bad })
          .expect(422);
      }
      expect(
        (
          await api
            .as(MASTER)
            .put(`/domains/${name}/${path}`, { [field]: max })
            .expect(200)
        ).body,
      ).toEqual({ name, [field]: max, revision: 2 });
      expect(
        (
          await api
            .as(BILLING)
            .put(`/domains/${name}/${path}`, { [field]: 30 })
            .expect(200)
        ).body,
      ).toEqual({ name, [field]: 30, revision: 3 });
      await api.as(rival).get(`/domains/${name}/${path}`).expect(404);
    });
  });

  describe('suspension', () => {
    it('is a set of causes: lifting one cause does not lift another', async () => {
      const at = '/domains/frozen.example';
      await api.as(acme).post('/domains/', { name: 'frozen.example' }).expect(201);
      expect((await api.as(acme).put(`${at}/suspend`).expect(200)).body).toEqual({
        name: 'frozen.example',
        status: 'suspended',
        suspension_causes: ['partner'],
        revision: 2,
      });
      await api.as(BILLING).put(`${at}/suspend`, { cause: 'billing' }).expect(200);
      await api.as(BILLING).put(`${at}/suspend`, { cause: 'abuse' }).expect(403);
      expect((await api.as(acme).put(`${at}/activate`).expect(200)).body).toMatchObject({
        status: 'suspended',
        suspension_causes: ['billing'],
      });
      const refused = await api.as(acme).put(`${at}/activate`).expect(403);
      expect(refused.body.detail).toBe('Suspended by the operator');
      expect(refused.body.suspension_causes).toEqual(['billing']);
      expect((await api.as(BILLING).put(`${at}/activate`).expect(200)).body).toMatchObject({
        status: 'active',
        suspension_causes: [],
      });
      expect((await api.as(acme).put(`${at}/activate`).expect(200)).body).toMatchObject({ status: 'active' });
    });

    it('by master may have a cause; activating without a cause lifts all causes', async () => {
      const at = '/domains/frozen.example';
      await api.as(MASTER).put(`${at}/suspend`).expect(200);
      await api.as(MASTER).put(`${at}/suspend`, { cause: 'abuse' }).expect(200);
      expect(
        (await api.as(MASTER).put(`${at}/activate`, { cause: 'operator' }).expect(200)).body.suspension_causes,
      ).toEqual(['abuse']);
      expect((await api.as(MASTER).put(`${at}/activate`, {}).expect(200)).body.suspension_causes).toEqual([]);
    });

    it('by master may have each cause, that of the partner too, to set it and to lift it', async () => {
      const at = '/domains/frozen.example';
      const causes = ['partner', 'operator', 'billing', 'abuse'];
      const put = async (path: string, cause: string) =>
        (await api.as(MASTER).put(`${at}/${path}`, { cause }).expect(200)).body.suspension_causes;
      for (const [index, cause] of causes.entries())
        expect(await put('suspend', cause)).toEqual(causes.slice(0, index + 1));
      for (const [index, cause] of causes.entries())
        expect(await put('activate', cause)).toEqual(causes.slice(index + 1));
      await api.as(MASTER).put(`${at}/suspend`, { cause: 'bounce_rate' }).expect(422);
    });

    it('by a client may name its own cause, and no other', async () => {
      const at = '/domains/frozen.example';
      for (const path of ['suspend', 'activate']) {
        for (const cause of ['operator', 'billing', 'abuse']) {
          const { body } = await api.as(acme).put(`${at}/${path}`, { cause }).expect(403);
          expect(body.code).toBe('master_token_required');
        }
      }
      const suspended = await api.as(acme).put(`${at}/suspend`, { cause: 'partner' }).expect(200);
      expect(suspended.body.suspension_causes).toEqual(['partner']);
      await api.as(BILLING).put(`${at}/activate`, { cause: 'partner' }).expect(403);
      const active = await api.as(acme).put(`${at}/activate`, { cause: 'partner' }).expect(200);
      expect(active.body.suspension_causes).toEqual([]);
    });
  });

  describe('plans', () => {
    it('set retention, transfer cap and the quota of later mailboxes and of mailboxes with the old default', async () => {
      const at = '/domains/plan.example';
      await api.as(acme).post('/domains/', { name: 'plan.example' }).expect(201);
      await api.as(acme).post('/users/', { email: 'default@plan.example', password: 'long enough' }).expect(201);
      await api
        .as(acme)
        .post('/users/', { email: 'own@plan.example', password: 'long enough', quota_mb: 500 })
        .expect(201);
      expect((await api.as(BILLING).put(`${at}/plan`, { plan: 'business' }).expect(200)).body).toEqual({
        name: 'plan.example',
        plan: 'business',
        retention_days: 60,
        transfer_monthly_mb: 10_240,
        quota_mb: 2_048,
        revision: 2,
        mailboxes_updated: 1,
      });
      expect((await api.as(acme).get('/users/default@plan.example/quota').expect(200)).body).toEqual({
        quota_mb: 2_048,
        revision: 2,
      });
      expect((await api.as(acme).get('/users/own@plan.example/quota').expect(200)).body).toEqual({
        quota_mb: 500,
        revision: 1,
      });
      expect(
        (await api.as(acme).post('/users/', { email: 'later@plan.example', password: 'long enough' }).expect(201)).body
          .quota_mb,
      ).toBe(2_048);
      expect((await api.as(MASTER).put(`${at}/plan`, { plan: 'business' }).expect(200)).body.mailboxes_updated).toBe(0);
      expect(
        (await api.as(MASTER).put(`${at}/plan`, { plan: 'business', override: true }).expect(200)).body
          .mailboxes_updated,
      ).toBe(1);
      await api.as(acme).put(`${at}/plan`, { plan: 'starter' }).expect(403);
      await api.as(MASTER).put(`${at}/plan`, { plan: 'gold' }).expect(422);
    });
  });

  describe('parents', () => {
    it('link new subdomains of the same partner, which inherit the verification', async () => {
      await verifyDomain(api, acme, 'wild.example');
      await api.as(MASTER).put('/domains/wild.example/parent', { wildcard_mode: 'any' }).expect(200);
      const before = api.jobs.jobs.length;
      await api.as(acme).post('/domains/', { name: 'a.b.wild.example' }).expect(201);
      expect(api.jobs.jobs).toHaveLength(before);
      const child = (await api.as(acme).get('/domains/a.b.wild.example').expect(200)).body;
      expect(child).toMatchObject({ parent: 'wild.example', verification_status: 'verified', inbound: 'open' });
      await api.as(MASTER).put('/domains/a.b.wild.example/parent', { wildcard_mode: 'any' }).expect(422);
      expect((await api.as(MASTER).put('/domains/a.b.wild.example/parent', { parent: null }).expect(200)).body).toEqual(
        {
          name: 'a.b.wild.example',
          parent: null,
          wildcard_mode: 'none',
          revision: 2,
        },
      );
    });

    it('must exist, be an ancestor of the domain and belong to the same partner', async () => {
      await api.as(acme).post('/domains/', { name: 'x.kin.example' }).expect(201);
      await api.as(rival).post('/domains/', { name: 'kin.example' }).expect(201);
      for (const parent of ['kin.example', 'example.org', 'absent.kin.example', 'x.kin.example', 7]) {
        const { body } = await api.as(MASTER).put('/domains/x.kin.example/parent', { parent }).expect(422);
        expect(body.errors[0].field).toBe('parent');
      }
    });

    it('that are deleted leave their children verified for 72 hours and start the verification of each child', async () => {
      await verifyDomain(api, acme, 'mother.example');
      await api.as(MASTER).put('/domains/mother.example/parent', { wildcard_mode: 'direct' }).expect(200);
      const { body: child } = await api.as(acme).post('/domains/', { name: 'child.mother.example' }).expect(201);
      await api.as(acme).delete('/domains/mother.example').expect(204);
      expect(api.jobs.jobs).toContainEqual(
        expect.objectContaining({ name: 'domain.verify', payload: { domainId: child.id } }),
      );
      const status = async () =>
        (await api.as(acme).get('/domains/child.mother.example').expect(200)).body.verification_status;
      expect(await status()).toBe('verified');
      api.clock.advance(72 * 3_600_000 + 1);
      expect(await status()).toBe('pending');
    });
  });

  describe('PUT /domains/{name}/partner', () => {
    it('moves a domain with its counts, unless aliases would then connect two partners', async () => {
      await api.as(acme).post('/domains/', { name: 'move.example' }).expect(201);
      await api.as(acme).post('/domains/', { name: 'stay.example' }).expect(201);
      await api.as(acme).post('/users/', { email: 'a@move.example', password: 'long enough' }).expect(201);
      const alias = await api
        .as(acme)
        .post('/aliases/', { address: 'a@stay.example', destination: 'a@move.example' })
        .expect(201);
      const refused = await api.as(MASTER).put('/domains/move.example/partner', { partner_ref: 'rival' }).expect(400);
      expect(refused.body.aliases).toEqual([
        { id: alias.body.id, address: 'a@stay.example', destination: 'a@move.example' },
      ]);
      await api.as(acme).delete(`/aliases/${alias.body.id}`).expect(204);
      const used = async (token: string) => (await api.as(token).get('/me').expect(200)).body.domains_used;
      const [acmeUsed, rivalUsed] = [await used(acme), await used(rival)];
      await api.as(MASTER).put('/domains/move.example/partner', { partner_ref: 'rival' }).expect(200);
      await api.as(acme).get('/domains/move.example').expect(404);
      await api.as(rival).get('/users/a@move.example').expect(200);
      expect([await used(acme), await used(rival)]).toEqual([acmeUsed - 1, rivalUsed + 1]);
    });

    it('takes the references of the former partner away, which the audit keeps for that partner and master', async () => {
      const name = 'referred.example';
      const mailbox = `a@${name}`;
      await api.as(acme).post('/domains/', { name, external_ref: 'acme-1' }).expect(201);
      await api
        .as(acme)
        .post('/users/', { email: mailbox, password: 'long enough', external_ref: 'acme-2' })
        .expect(201);
      await api.as(MASTER).put(`/domains/${name}/partner`, { partner_ref: 'rival' }).expect(200);
      for (const token of [rival, MASTER])
        for (const path of [`/domains/${name}`, `/users/${mailbox}`])
          expect((await api.as(token).get(path).expect(200)).body).toMatchObject({ external_ref: null });
      for (const ref of ['acme-1', 'acme-2'])
        for (const path of [`/domains/?external_ref=${ref}`, `/users/?external_ref=${ref}`])
          expect((await api.as(MASTER).get(path).expect(200)).body).toEqual([]);
      await api.container.get(EventPositioner).giveAll();
      const eventsOf = async (token: string) =>
        JSON.stringify((await api.as(token).get(`/events?domain=${name}&limit=50`).expect(200)).body);
      expect(await eventsOf(rival)).not.toMatch(/acme/);
      const ofFormer = await eventsOf(acme);
      expect(ofFormer).toContain('"before":{"partner_ref":"acme","external_ref":"acme-1"}');
      expect(ofFormer).toContain('"external_ref":"acme-2"');
      await api.as(MASTER).put(`/domains/${name}/partner`, { partner_ref: 'acme' }).expect(200);
      expect((await api.as(acme).get(`/domains/${name}`).expect(200)).body).toMatchObject({ external_ref: null });
    });
  });
});
