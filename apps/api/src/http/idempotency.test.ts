import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
  describe('a repeated request with an Idempotency-Key', () => {
    let api: TestApi;
    let key: string;

    beforeAll(async () => {
      api = await startTestApi(kind);
      key = await api.key('acme');
      for (const name of ['kept.example', 'lost.example']) {
        await api.as(MASTER).post('/domains/', { name, partner_ref: 'acme' }).expect(201);
      }
    });
    afterAll(() => api.close());

    const requestsFor = (domain: string): [path: string, body: object][] => [
      ['/users/', { email: `a@${domain}`, password_hash: HASH }],
      ['/aliases/', { address: `b@${domain}`, destination: `a@${domain}` }],
      ['/users/bulk', { items: [{ email: `c@${domain}`, password_hash: HASH }] }],
    ];
    /** Sends each request with a key of its own. @returns the status of each, of a bulk request that of its item */
    const statuses = async (domain: string): Promise<number[]> => {
      const found: number[] = [];
      for (const [path, body] of requestsFor(domain)) {
        const response = await api.as(key).post(path, body).set('Idempotency-Key', `${domain} ${path}`);
        const [item] = Array.isArray(response.body) ? (response.body as { status: number; replayed?: boolean }[]) : [];
        found.push(item?.status ?? response.status);
      }
      return found;
    };

    it('does not answer about what its caller does not have any more', async () => {
      expect([await statuses('kept.example'), await statuses('lost.example')]).toEqual([
        [201, 201, 201],
        [201, 201, 201],
      ]);
      await api
        .as(MASTER)
        .put(`/api-keys/${key}`, { domains: ['kept.example'] })
        .expect(200);
      expect(await statuses('lost.example')).toEqual([404, 404, 404]);
      expect(await statuses('kept.example')).toEqual([201, 201, 201]);
      await api.as(MASTER).put(`/api-keys/${key}`, { domains: null }).expect(200);
      await api.as(MASTER).put('/domains/lost.example/partner', { partner_ref: 'other' }).expect(200);
      expect(await statuses('lost.example')).toEqual([404, 404, 404]);
      expect(await statuses('kept.example')).toEqual([201, 201, 201]);
    });

    it('is a creation for the partner that had the domain when it moved away', async () => {
      const create = () => api.as(key).post('/domains/', { name: 'moves.example' }).set('Idempotency-Key', 'moves');
      await create().expect(201);
      expect((await create().expect(201)).headers['idempotent-replayed']).toBe('true');
      await api.as(MASTER).put('/domains/moves.example/partner', { partner_ref: 'other' }).expect(200);
      expect((await create().expect(400)).body.code).toBe('domain_exists');
    });
  });
});
