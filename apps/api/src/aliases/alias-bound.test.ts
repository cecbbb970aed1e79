import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const MOST = 100_000;

onEachDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind, { ALLOW_EXTERNAL_FORWARD: 'true' });
    if (kind === 'mariadb') {
      await api.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', 'on')");
    }
  });
  afterAll(() => api.close());

  it('a key with unlimited aliases makes at most 100,000 in a domain that forward to different outside addresses', async () => {
    const acme = await api.key('acme');
    await api.as(acme).post('/domains/', { name: 'lists.example' }).expect(201);
    await api.as(acme).post('/users/', { email: 'a@lists.example', password_hash: HASH }).expect(201);
    await api.database.write("UPDATE domain SET alias_count = ? WHERE name = 'lists.example'", [MOST - 1]);
    const add = (token: string, number: number) =>
      api.as(token).post('/aliases/', {
        address: `list${number}@lists.example`,
        destination: `reader${number}@elsewhere.example`,
      });
    const answers = await Promise.all([1, 2, 3].map((number) => add(acme, number)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const { body } = await add(acme, 4).expect(403);
    expect(body).toMatchObject({ code: 'alias_quota_exceeded', limit: MOST, used: MOST });
    // The operator's limit of 0 for aliases that deliver here stays unlimited, and so does the operator.
    await api.as(acme).post('/aliases/', { address: 'own@lists.example', destination: 'a@lists.example' }).expect(201);
    await add(MASTER, 5).expect(201);
  });
});
