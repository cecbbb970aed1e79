import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const OUTSIDE = 'x@out.example';

onHttpDatabase((kind) => {
  describe('the claimed senders of an increment', () => {
    let api: TestApi;
    let acme: string;
    let made = 0;

    beforeAll(async () => {
      api = await startTestApi(kind);
      acme = await api.key('acme');
    });
    afterAll(() => api.close());

    /** Creates a domain with outbound and inbound mail, the mailboxes anna and bob, and the alias info of anna. */
    async function aDomain(): Promise<string> {
      made += 1;
      const name = `claims-${made}.example`;
      const { body } = await api.as(acme).post('/domains/', { name }).expect(201);
      await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
      await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'open' }).expect(200);
      for (const local of ['anna', 'bob']) {
        const mailbox = { email: `${local}@${name}`, password: 'correct horse' };
        await api.as(acme).post('/users/', mailbox).expect(201);
      }
      const alias = { address: `info@${name}`, destination: `anna@${name}` };
      await api.as(acme).post('/aliases/', alias).expect(201);
      return name;
    }

    const message = (domain: string, claims: string[], fields: object = {}) => ({
      domain,
      sender: `anna@${domain}`,
      recipients: [OUTSIDE],
      bytes: 10,
      claims: claims.map((claim) => claim.replace('#', domain)),
      ...fields,
    });
    const count = async (...items: object[]) =>
      (await api.as(POLICY).post('/outbound/increments', { items }).expect(200)).body;
    const state = async (name: string) => (await api.as(acme).get(`/domains/${name}/outbound`).expect(200)).body;
    const refused = (foreign_sender: string, sent_today: number) => {
      return { allowed: false, action: 'reject', reason: 'sender_not_allowed', foreign_sender, sent_today };
    };

    it('refuse the message, and nothing is counted, when the login may not use one of them', async () => {
      const name = await aDomain();
      const answers = await count(
        message(name, ['ANNA@#', 'info@#', 'anna+tag@#']),
        message(name, ['anna@#', 'bob@#']),
        message(name, ['bob@#'], { recipients: [`bob@${name}`] }),
        message(name, ['anna@#']),
        message(name, ['anna@#'], { sender: `bob@${name}` }),
        message(name, ['info@#'], { sender: `Anna@${name}` }),
      );
      expect(answers).toMatchObject([
        { allowed: true, sent_today: 1 },
        refused(`bob@${name}`, 1),
        refused(`bob@${name}`, 1),
        { allowed: true, sent_today: 2 },
        refused(`anna@${name}`, 2),
        { allowed: true, sent_today: 3 },
      ]);
      expect(await state(name)).toMatchObject({ sent_today: 3, bytes_this_month: 30 });
      const { body } = await api.as(acme).get(`/domains/${name}/outbound/senders`).expect(200);
      expect(body).toMatchObject([{ sender: `anna@${name}`, sent_today: 3 }]);
    });

    it('are decided by the state at the time of the request, also the login’s own address', async () => {
      const name = await aDomain();
      const own = () => count(message(name, ['anna@#']), message(name, ['info@#']));
      expect(await own()).toMatchObject([{ allowed: true }, { allowed: true }]);
      await api.as(acme).delete(`/aliases/info@${name}`).expect(204);
      expect(await own()).toMatchObject([{ allowed: true }, refused(`info@${name}`, 3)]);
      await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'pending' }).expect(200);
      expect(await own()).toMatchObject([refused(`anna@${name}`, 3), refused(`info@${name}`, 3)]);
      await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'open' }).expect(200);
      await api.as(acme).delete(`/users/anna@${name}`).expect(204);
      expect(await own()).toMatchObject([refused(`anna@${name}`, 3), refused(`info@${name}`, 3)]);
      expect(await state(name)).toMatchObject({ sent_today: 3 });
    });

    it('come before every other reason, in monitor too', async () => {
      const name = await aDomain();
      await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_enforcement: 'monitor' }).expect(200);
      await api.as(MASTER).put(`/domains/${name}/suspend`).expect(200);
      expect(await count(message(name, ['bob@#']), message(name, ['anna@#']))).toMatchObject([
        refused(`bob@${name}`, 0),
        { action: 'defer', reason: 'domain_suspended' },
      ]);
    });

    it('are part of what a repeat repeats: it gets the same verdict, and another sender under the same id is refused', async () => {
      const name = await aDomain();
      const first = message(name, ['info@#'], { id: 'q1' });
      const [answer] = await count(first);
      expect(answer).toMatchObject({ allowed: true, sent_today: 1 });
      await api.as(acme).delete(`/aliases/info@${name}`).expect(204);
      expect(await count(first)).toEqual([answer]);
      expect(await count(message(name, ['bob@#'], { id: 'q1' }))).toMatchObject([{ reason: 'increment_id_reused' }]);
      expect(await count(message(name, ['anna@#'], { id: 'q1' }))).toMatchObject([{ reason: 'increment_id_reused' }]);
      expect(await state(name)).toMatchObject({ sent_today: 1 });
    });

    it('do not use up the id of a refused message, which is counted when the login may use its sender', async () => {
      const name = await aDomain();
      const mail = message(name, ['sales@#'], { id: 'q1' });
      expect(await count(mail, mail)).toMatchObject([refused(`sales@${name}`, 0), refused(`sales@${name}`, 0)]);
      const alias = { address: `sales@${name}`, destination: `anna@${name}` };
      await api.as(acme).post('/aliases/', alias).expect(201);
      expect(await count(mail, mail)).toMatchObject([{ sent_today: 1 }, { sent_today: 1 }]);
    });

    it('do not change the id of a message that names only its login: a count without claims is its repeat', async () => {
      const name = await aDomain();
      const { claims, ...plain } = message(name, ['anna@#'], { id: 'q1' });
      expect(await count({ ...plain, claims }, plain, { ...plain, record: true })).toMatchObject([
        { sent_today: 1 },
        { sent_today: 1 },
        { sent_today: 1 },
      ]);
    });

    it('are not checked for mail that was already sent', async () => {
      const name = await aDomain();
      expect(await count(message(name, ['bob@#'], { record: true }))).toMatchObject([{ allowed: true, sent_today: 1 }]);
    });

    it('are checked by a single increment too', async () => {
      const name = await aDomain();
      const { domain, ...body } = message(name, ['bob@#']);
      const answer = await api.as(POLICY).post(`/domains/${domain}/outbound/increment`, body).expect(200);
      expect(answer.body).toMatchObject(refused(`bob@${name}`, 0));
    });

    it('may be a thousand, and of many messages at once', async () => {
      const name = await aDomain();
      const many = Array.from({ length: 999 }, (_, index) => `anna+${index}@#`);
      const answers = await count(...Array.from({ length: 20 }, () => message(name, [...many, 'info@#'])));
      expect(answers.at(-1)).toMatchObject({ allowed: true, sent_today: 20 });
      expect(await count(message(name, [...many, 'bob@#']))).toMatchObject([refused(`bob@${name}`, 20)]);
    });

    it.each([
      [{ claims: [] }],
      [{ claims: Array.from({ length: 1_001 }, () => 'anna@out.example') }],
      [{ claims: ['x'.repeat(255)] }],
      [{ claims: ['a\u0000@b.example'] }],
      [{ sender: '' }],
      [{ sender: undefined }],
      [{ sender: undefined, forwarded: true }],
    ])('are refused with %j', async (fields) => {
      const name = await aDomain();
      const items = [message(name, ['anna@#'], fields)];
      const { body } = await api.as(POLICY).post('/outbound/increments', { items }).expect(422);
      expect(body.errors).toEqual([expect.objectContaining({ field: expect.stringMatching(/^items\[0\]\.claims/) })]);
    });
  });
});
