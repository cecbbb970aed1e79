import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const OUTSIDE = 'x@out.example';

onHttpDatabase((kind) => {
  describe('a read receipt', () => {
    let api: TestApi;
    const NAME = 'receipts.example';
    const ANNA = `anna@${NAME}`;

    beforeAll(async () => {
      api = await startTestApi(kind);
      const acme = api.as(await api.key('receipts'));
      const { body } = await acme.post('/domains/', { name: NAME }).expect(201);
      await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
      await api.as(MASTER).put(`/domains/${NAME}/inbound`, { inbound: 'open' }).expect(200);
      await acme.post('/users/', { email: ANNA, password: 'correct horse' }).expect(201);
    });

    afterAll(() => api.close());

    const receipt = (fields: object = {}) => ({
      domain: NAME,
      sender: ANNA,
      recipients: [OUTSIDE],
      receipt: true,
      ...fields,
    });
    const count = async (...items: object[]) =>
      (await api.as(POLICY).post('/outbound/increments', { items }).expect(200)).body as Record<string, unknown>[];

    it('passes 50 times a day, to one recipient, and the rest is not counted; a repeat counts once', async () => {
      const refused = { allowed: false, action: 'reject', reason: 'message_exceeds_limit', sent_today: 0 };
      expect(await count(receipt({ recipients: [OUTSIDE, 'b@outside.example'] }))).toMatchObject([refused]);
      expect(await count(receipt({ recipients: [ANNA] }))).toMatchObject([{ allowed: true, count: 0, sent_today: 0 }]);
      expect(await count(receipt({ id: 'r1' }), receipt({ id: 'r1' }))).toMatchObject([
        { allowed: true, count: 1, sent_today: 1 },
        { allowed: true, count: 1, sent_today: 1 },
      ]);
      expect(await count(receipt({ id: 'r1', receipt: false }))).toMatchObject([{ reason: 'increment_id_reused' }]);
      const answers = await count(...Array.from({ length: 50 }, () => receipt()));
      expect(answers.filter(({ allowed }) => allowed === true)).toHaveLength(49);
      expect(answers.at(-1)).toMatchObject({ action: 'defer', reason: 'mailbox_limit', sent_today: 50 });
      expect(await count(receipt({ receipt: false }))).toMatchObject([{ allowed: true, sent_today: 51 }]);
    });

    it('is refused without its sender and without its recipients', async () => {
      for (const fields of [{ sender: undefined }, { recipients: undefined }, { sender: '' }]) {
        const items = [receipt(fields)];
        const { body } = await api.as(POLICY).post('/outbound/increments', { items }).expect(422);
        expect(body.errors).toEqual([expect.objectContaining({ field: 'items[0].receipt' })]);
      }
    });
  });
});
