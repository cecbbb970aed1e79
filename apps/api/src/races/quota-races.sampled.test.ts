import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { atOnce, manyAtOnce } from '../testing/at-once.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
/** The most aliases of a domain that forward to outside addresses. */
const MOST = 100_000;
/** The requests at the same time of most tests. */
const REQUESTS = sampleSize(20, 8);

interface Item {
  status: number;
  replayed?: true;
}

/** What is limited or made once, asked for by many requests at the same time. */
onEachDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind, { ALLOW_EXTERNAL_FORWARD: 'true' });
    await api.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', 'on')");
  });
  afterAll(() => api.close());
  afterEach(() => expect(api.log.defects).toEqual([]));

  const code = (response: { body: { code: string } }) => response.body.code;
  const domain = (token: string, name: string) => api.as(token).post('/domains/', { name }).expect(201);
  const mailbox = (token: string, email: string) =>
    api.as(token).post('/users/', { email, password_hash: HASH }).expect(201);
  const bulk = async (token: string, items: unknown[], key?: string): Promise<Item[]> => {
    const request = api.as(token).post('/users/bulk', { items });
    if (key !== undefined) request.set('Idempotency-Key', key);
    const { body } = await request.expect(200);
    expect(body).toHaveLength(items.length);
    return body as Item[];
  };
  const mailboxes = (prefix: string, count: number, of: string) =>
    Array.from({ length: count }, (_, index) => ({ email: `${prefix}${index}@${of}`, password_hash: HASH }));

  describe('POST /domains/', () => {
    it('creates exactly as many domains as the quota allows, of many concurrent requests', async () => {
      const token = await api.key('three', { domains_allowed: 3 });
      const answers = await manyAtOnce(REQUESTS, (index) =>
        api.as(token).post('/domains/', { name: `race-${index}.example` }),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(
        answers.filter((answer) => answer.status === 403 && code(answer) === 'domain_quota_exceeded'),
      ).toHaveLength(REQUESTS - 3);
      expect((await api.as(token).get('/me').expect(200)).body.domains_used).toBe(3);
    });

    it('creates a domain once for many concurrent requests with its name, and responds to the others that it exists', async () => {
      const [acme, rival] = [await api.key('acme'), await api.key('rival')];
      const answers = await manyAtOnce(REQUESTS, (index) =>
        api.as(index % 2 === 0 ? acme : rival).post('/domains/', { name: 'one.example' }),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter((answer) => answer.status === 400 && code(answer) === 'domain_exists')).toHaveLength(
        REQUESTS - 1,
      );
    });
  });

  describe('POST /users/', () => {
    it('creates exactly as many mailboxes as the limit allows, of many concurrent requests, for each of two keys', async () => {
      const token = await api.key('fivers', { mailboxes_per_domain: 5 });
      await domain(token, 'five.example');
      const answers = await atOnce(
        mailboxes('u', REQUESTS, 'five.example').map((item) => () => api.as(token).post('/users/', item)),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
      expect(
        answers.filter((answer) => answer.status === 403 && code(answer) === 'mailbox_quota_exceeded'),
      ).toHaveLength(REQUESTS - 5);
      expect((await api.as(token).get('/domains/five.example').expect(200)).body.mailboxes).toBe(5);
      const wider = await api.key('fivers', { mailboxes_per_domain: 6 });
      await mailbox(wider, 'sixth@five.example');
      await api.as(wider).post('/users/', { email: 'seventh@five.example', password_hash: HASH }).expect(403);
      await mailbox(MASTER, 'eighth@five.example');
    });
  });

  describe('POST /users/bulk', () => {
    it('the quotas are exact for bulk and single requests at the same time', async () => {
      const [each, alone, limit] = [sampleSize(30, 6), sampleSize(10, 4), sampleSize(45, 9)];
      const token = await api.key('racing', { mailboxes_per_domain: limit });
      await domain(token, 'racing.example');
      const several = ['a', 'b', 'c'].map((prefix) => bulk(token, mailboxes(prefix, each, 'racing.example')));
      const singles = atOnce(
        mailboxes('s', alone, 'racing.example').map((item) => () => api.as(token).post('/users/', item)),
      );
      const made = (await Promise.all(several)).flat().map(({ status }) => status);
      for (const { status } of await singles) made.push(status);
      expect(made.filter((status) => status === 201)).toHaveLength(limit);
      expect(made.filter((status) => status === 403)).toHaveLength(3 * each + alone - limit);
      expect((await api.as(token).get('/domains/racing.example').expect(200)).body.mailboxes).toBe(limit);
    });

    it('an idempotency key with passwords creates each mailbox once, also in requests at the same time', async () => {
      const token = await api.key('twins');
      await domain(token, 'twins.example');
      const items = [
        ...mailboxes('twin', sampleSize(5, 2), 'twins.example').map(({ email }) => ({
          email,
          password: 'correct horse battery',
        })),
        ...mailboxes('twinhash', sampleSize(20, 5), 'twins.example'),
      ];
      const answers = await Promise.all([1, 2, 3].map(() => bulk(token, items, 'twins')));
      for (const index of items.keys()) {
        const outcomes = answers.map((answer) => answer[index]);
        expect(outcomes.filter((each) => each?.status === 201 && each.replayed === undefined)).toHaveLength(1);
        expect(outcomes.filter((each) => each?.status !== 201 && each?.status !== 409)).toEqual([]);
      }
      const again = await bulk(token, items, 'twins');
      expect(again.every(({ replayed }) => replayed === true)).toBe(true);
    });
  });

  it('operators have at most five webhooks, also when they make them at the same time', async () => {
    const answers = await manyAtOnce(sampleSize(12, 8), (index) =>
      api.as(MASTER).post('/webhook-endpoints', { url: `https://at-once${index}.example/` }),
    );
    const made = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 409);
    expect([made.length, refused.length]).toEqual([5, answers.length - 5]);
  });

  describe('an idempotency key', () => {
    it('makes one of many equal concurrent requests take effect', async () => {
      const token = await api.key('equal');
      const answers = await manyAtOnce(REQUESTS, () =>
        api.as(token).post('/domains/', { name: 'storm.example' }).set('Idempotency-Key', 'key 3'),
      );
      const made = answers.filter(({ status }) => status === 201);
      expect(made.length).toBeGreaterThan(0);
      expect(made.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 201).map(({ status }) => status)).toEqual(
        answers.filter(({ status }) => status !== 201).map(() => 409),
      );
    });
  });

  describe('an alias', () => {
    const create = async (token: string, address: string, destination: string): Promise<{ id: number }> =>
      (await api.as(token).post('/aliases/', { address, destination }).expect(201)).body;

    it('creates exactly as many aliases as the limit of their destination allows, of many concurrent requests', async () => {
      const token = await api.key('alias-threes', { aliases_per_mailbox: 3 });
      await domain(token, 'four.example');
      await mailbox(token, 'four@four.example');
      const answers = await manyAtOnce(REQUESTS, (index) =>
        api.as(token).post('/aliases/', { address: `a${index}@four.example`, destination: 'four@four.example' }),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(answers.filter((answer) => answer.status === 403 && code(answer) === 'alias_quota_exceeded')).toHaveLength(
        REQUESTS - 3,
      );
    });

    it('gives the last free place of a mailbox to exactly one of many changes and creations', async () => {
      const open = await api.key('places');
      const limited = await api.key('places', { aliases_per_mailbox: 3 });
      await domain(open, 'box.example');
      for (const email of ['ann@box.example', 'full@box.example']) await mailbox(open, email);
      const change = (token: string, id: number, destination: string) =>
        api.as(token).put(`/aliases/${id}`, { destination });
      const movers: { id: number }[] = [];
      const many = sampleSize(8, 3);
      for (let index = 0; index < many; index += 1) {
        movers.push(await create(open, `m${index}@box.example`, 'ann@box.example'));
      }
      await create(open, 'f1@box.example', 'full@box.example');
      await create(open, 'f2@box.example', 'full@box.example');
      const answers = await atOnce([
        ...movers.map(
          ({ id }) =>
            () =>
              change(limited, id, 'full@box.example'),
        ),
        ...movers.map(
          (_, index) => () =>
            api.as(limited).post('/aliases/', { address: `n${index}@box.example`, destination: 'full@box.example' }),
        ),
      ]);
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      const refused = answers.filter(({ status, body }) => status === 403 && body.code === 'alias_quota_exceeded');
      expect(refused).toHaveLength(2 * many - 1);
      expect((await api.as(open).get('/aliases/?destination=full@box.example').expect(200)).body).toHaveLength(3);
      // Where nothing is added, a full mailbox is no obstacle; operators have no limit.
      const [kept] = (await api.as(open).get('/aliases/?destination=full@box.example')).body;
      await change(limited, kept.id, 'Full@box.example').expect(200);
      const [mover] = (await api.as(open).get('/aliases/?destination=ann@box.example')).body;
      await change(MASTER, mover.id, 'full@box.example').expect(200);
    });

    it('a key with unlimited aliases makes at most 100,000 in a domain that forward to different outside addresses', async () => {
      const token = await api.key('lists');
      await domain(token, 'lists.example');
      await mailbox(token, 'a@lists.example');
      await api.database.write("UPDATE domain SET alias_count = ? WHERE name = 'lists.example'", [MOST - 1]);
      const add = (as: string, number: number) =>
        api.as(as).post('/aliases/', {
          address: `list${number}@lists.example`,
          destination: `reader${number}@elsewhere.example`,
        });
      const answers = await atOnce([1, 2, 3].map((number) => () => add(token, number)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const { body } = await add(token, 4).expect(403);
      expect(body).toMatchObject({ code: 'alias_quota_exceeded', limit: MOST, used: MOST });
      // The operator's limit of 0 for aliases that deliver here stays unlimited, and so does the operator.
      await create(token, 'own@lists.example', 'a@lists.example');
      await add(MASTER, 5).expect(201);
    });
  });
});
