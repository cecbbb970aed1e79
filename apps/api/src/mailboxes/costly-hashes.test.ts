import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const TAIL = 'N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
/** Of a cost that earlier releases stored. */
const COSTLY = `$2y$14$${TAIL}`;
const WITHIN = `$2y$12$${TAIL}`;

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    await api.key('beta');
    await api.as(acme).post('/domains/', { name: 'costly.example' }).expect(201);
  });
  afterAll(() => api.close());

  /** Creates a mailbox, and stores the hash as an earlier release did. */
  async function storeCostly(email: string): Promise<void> {
    await api.as(acme).post('/users/', { email, password_hash: WITHIN }).expect(201);
    await api.database.write('UPDATE mailbox SET password_hash = ? WHERE email = ?', [COSTLY, email]);
  }
  const hashOf = async (email: string) =>
    (await api.database.read('SELECT password_hash FROM mailbox WHERE email = ?', [email]))[0]?.password_hash;

  it('a hash above cost 12 is refused, alone and in a bulk', async () => {
    const item = { email: 'new@costly.example', password_hash: COSTLY };
    const { body } = await api.as(acme).post('/users/', item).expect(422);
    expect(body.errors).toEqual([{ field: 'password_hash', message: 'must have a bcrypt cost from 4 to 12' }]);
    const bulk = await api
      .as(acme)
      .post('/users/bulk', { items: [item] })
      .expect(200);
    expect(bulk.body).toEqual([expect.objectContaining({ status: 422 })]);
  });

  it('a stored hash above cost 12 stays through changes, deletion, restoration and a move, until the password changes', async () => {
    const email = 'old@costly.example';
    await storeCostly(email);
    await api.as(acme).put(`/users/${email}`, { name: 'Old', active: false, quota_mb: 5 }).expect(200);
    await api.as(acme).put(`/users/${email}`, { active: true, external_ref: 'x' }).expect(200);
    expect(await hashOf(email)).toBe(COSTLY);
    for (const path of [`/users/${email}`, '/domains/costly.example']) {
      await api.as(acme).delete(path).expect(204);
      const [deletion] = (await api.as(acme).get('/deleted').expect(200)).body;
      await api.as(acme).post(`/deleted/${deletion.id}/restore`).expect(200);
      expect(await hashOf(email)).toBe(COSTLY);
    }
    await api.as(MASTER).put('/domains/costly.example/partner', { partner_ref: 'beta' }).expect(200);
    expect(await hashOf(email)).toBe(COSTLY);
    await api.as(MASTER).put(`/users/${email}`, { password: 'another horse battery' }).expect(200);
    expect(await hashOf(email)).toMatch(/^\$2b\$04\$/);
  });
});
