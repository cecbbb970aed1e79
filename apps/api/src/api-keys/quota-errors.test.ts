import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  it('a quota error has the limit of the key and how many exist, also below a lowered limit', async () => {
    const token = await api.key('acme', { domains_allowed: 2, mailboxes_per_domain: 2, aliases_per_mailbox: 2 });
    const acme = api.as(token);
    for (const name of ['one.example', 'two.example']) await acme.post('/domains/', { name }).expect(201);
    for (const box of ['a', 'b'])
      await acme.post('/users/', { email: `${box}@one.example`, password_hash: HASH }).expect(201);
    for (const alias of ['x', 'y']) {
      await acme.post('/aliases/', { address: `${alias}@one.example`, destination: 'a@one.example' }).expect(201);
    }
    const limits = { domains_allowed: 1, mailboxes_per_domain: 1, aliases_per_mailbox: 1 };
    await api.as(MASTER).put(`/api-keys/${token}`, limits).expect(200);
    const refused = [
      await acme.post('/domains/', { name: 'three.example' }).expect(403),
      await acme.post('/users/', { email: 'c@one.example', password_hash: HASH }).expect(403),
      await acme.post('/aliases/', { address: 'z@one.example', destination: 'a@one.example' }).expect(403),
    ];
    expect(refused.map(({ body: { code, limit, used } }) => ({ code, limit, used }))).toEqual([
      { code: 'domain_quota_exceeded', limit: 1, used: 2 },
      { code: 'mailbox_quota_exceeded', limit: 1, used: 2 },
      { code: 'alias_quota_exceeded', limit: 1, used: 2 },
    ]);
  });
});
