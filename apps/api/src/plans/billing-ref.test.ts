import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { ExpirePendingDomains } from '@mailstead/core/domains/expire-pending-domains';
import { BILLING, MASTER, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
  });
  afterAll(() => api.close());

  const put = (name: string, body: object) => api.as(BILLING).put(`/domains/${name}/plan`, body);
  const stored = async (name: string, token = BILLING) =>
    (await api.as(token).get(`/domains/${name}`).expect(200)).body.billing_ref;
  const create = (name: string) => api.as(acme).post('/domains/', { name }).expect(201);

  describe('the reference of a subscription', () => {
    it('is stored with the plan, also when the plan stays the same, and shown to operators only', async () => {
      await create('paid.example');
      await put('paid.example', { plan: 'starter' }).expect(200);
      await put('paid.example', { plan: 'starter', billing_ref: 'sub_1' }).expect(200);
      for (const token of [MASTER, BILLING, READ]) expect(await stored('paid.example', token)).toBe('sub_1');
      expect(await stored('paid.example', acme)).toBeNull();
      const { body } = await api.as(acme).get('/domains/?view=full').expect(200);
      expect(JSON.stringify(body)).not.toContain('sub_1');
      await put('paid.example', { plan: 'business' }).expect(200);
      expect(await stored('paid.example')).toBe('sub_1');
    });

    it('is replaced only by a caller that names the present one; otherwise 409 with it, and nothing is changed', async () => {
      await create('two.example');
      await put('two.example', { plan: 'starter', billing_ref: 'sub_1' }).expect(200);
      for (const replaces of [undefined, null, 'sub_9', 'SUB_1']) {
        const { body } = await put('two.example', { plan: 'business', billing_ref: 'sub_2', replaces }).expect(409);
        expect(body).toMatchObject({ code: 'billing_ref_differs', billing_ref: 'sub_1' });
      }
      expect((await api.as(BILLING).get('/domains/two.example')).body).toMatchObject({ plan: 'starter' });
      await put('two.example', { plan: 'business', billing_ref: 'sub_1' }).expect(200);
      await put('two.example', { plan: 'starter', billing_ref: 'sub_2', replaces: 'sub_1' }).expect(200);
      // A repeat of the same request.
      await put('two.example', { plan: 'starter', billing_ref: 'sub_2', replaces: 'sub_1' }).expect(200);
      expect(await stored('two.example')).toBe('sub_2');
    });

    it('is refused with its field when it is wrong', async () => {
      await create('wrong.example');
      for (const [field, body] of [
        ['billing_ref', { billing_ref: 'a b' }],
        ['billing_ref', { billing_ref: '' }],
        ['replaces', { replaces: 'sub_1' }],
        ['replaces', { billing_ref: 'sub_1', replaces: 'ü' }],
      ] as const) {
        const answer = await put('wrong.example', { plan: 'starter', ...body }).expect(422);
        expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
      }
      expect((await api.as(BILLING).get('/domains/wrong.example')).body).toMatchObject({
        plan: null,
        billing_ref: null,
      });
    });

    it('keeps a domain that was never open from its removal', async () => {
      await create('kept.example');
      await create('idle.example');
      await put('kept.example', { plan: 'starter', billing_ref: 'sub_1' }).expect(200);
      for (const days of [31, 8]) {
        api.clock.advance(days * DAY_MS);
        await api.container.get(ExpirePendingDomains).execute();
      }
      await api.as(MASTER).get('/domains/idle.example').expect(404);
      await api.as(MASTER).get('/domains/kept.example').expect(200);
    });
  });
});
