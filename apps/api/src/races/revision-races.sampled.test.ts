import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { manyAtOnce } from '../testing/at-once.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
/** The callers at the same time. */
const AT_ONCE = sampleSize(8, 4);

/** Changes of one thing at the same time, by callers who have all read the same state. */
onEachDatabase((kind) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi(kind);
    const key = await api.key('acme');
    await api.as(key).post('/domains/', { name: 'acme.example' }).expect(201);
    await api.as(key).post('/users/', { email: 'a@acme.example', password_hash: HASH }).expect(201);
    await api.as(key).post('/me/keys', {}).expect(201);
  });
  afterAll(() => api.close());
  afterEach(() => expect(api.log.defects).toEqual([]));

  it.each([
    ['a domain', '/domains/acme.example', '/domains/acme.example', (index: number) => ({ external_ref: `r${index}` })],
    [
      'a part of a domain',
      '/domains/acme.example',
      '/domains/acme.example/front-hosts',
      (index: number) => ({ hosts: [`mx${index}.filter.example`] }),
    ],
    [
      'the partner of a domain',
      '/domains/acme.example',
      '/domains/acme.example/partner',
      (index: number) => ({ partner_ref: `other${index}` }),
    ],
    ['a mailbox', '/users/a@acme.example', '/users/a@acme.example', (index: number) => ({ name: `Anna ${index}` })],
    ['a key', '/api-keys/2', '/api-keys/2', (index: number) => ({ name: `shop ${index}` })],
    ['a partner', '/partners/acme', '/partners/acme', (index: number) => ({ name: `Acme ${index}` })],
    ['a brand', '/partners/acme/brand', '/partners/acme/brand', (index: number) => ({ name: `Juniper ${index}` })],
  ])(
    'of changes of %s with the same If-Match one is made, the others are 412 with its revision',
    async (_, read, path, body) => {
      const { headers, body: before } = await api.as(MASTER).get(read).expect(200);
      const answers = await manyAtOnce(AT_ONCE, (index) =>
        api
          .as(MASTER)
          .put(path, body(index))
          .set('If-Match', headers.etag ?? ''),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.toSorted((left, right) => left - right)).toEqual([200, ...Array<number>(AT_ONCE - 1).fill(412)]);
      const revision = (before as { revision: number }).revision + 1;
      for (const { body: answer } of answers) expect(answer).toMatchObject({ revision });
      expect((await api.as(MASTER).get(read).expect(200)).body).toMatchObject({ revision });
    },
  );

  it('of changes without If-Match all are made, and each raises the revision', async () => {
    const before = (await api.as(MASTER).get('/users/a@acme.example').expect(200)).body as { revision: number };
    const answers = await manyAtOnce(AT_ONCE, (index) =>
      api.as(MASTER).put('/users/a@acme.example', { name: `B ${index}` }),
    );
    const revisions = answers.map(({ body }) => (body as { revision: number }).revision);
    expect(revisions.sort((left, right) => left - right)).toEqual(
      answers.map((_, index) => before.revision + index + 1),
    );
  });
});
