import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { LinkWorld } from '../testing/link-world.js';

const MOST = 100;

onEachDatabase((kind) => {
  describe('the links of a key', () => {
    let api: TestApi;
    let links: LinkWorld;

    beforeAll(async () => {
      api = await startTestApi(kind);
      links = new LinkWorld(api);
    });
    afterAll(() => api.close());

    const make = (token: string, domain: string) => api.as(token).post('/portal-links', { domain, scope: 'dns' });
    async function makeMany(token: string, domains: string[], number: number): Promise<number[]> {
      const answers = await Promise.all(
        Array.from({ length: number }, (_, index) => make(token, domains[index % domains.length] ?? '')),
      );
      return answers.map(({ status }) => status);
    }

    it('are at most 100 that have not ended, also when they are made at once for several domains', async () => {
      const { partner, key, domain, other } = await links.partner();
      const statuses = await makeMany(key, [domain, other], MOST + 20);
      expect(statuses.filter((status) => status === 201)).toHaveLength(MOST);
      const { body } = await make(key, domain).expect(409);
      expect(body).toMatchObject({ code: 'too_many_links' });
      // Other keys and operators have their own.
      await make(await api.key(partner), domain).expect(201);
      await make(BILLING, domain).expect(201);
      await make(MASTER, domain).expect(201);
      const [{ id }] = (await api.as(key).get('/portal-links?limit=1').expect(200)).body;
      await api.as(key).delete(`/portal-links/${id}`).expect(204);
      expect((await makeMany(key, [domain], 5)).filter((status) => status === 201)).toHaveLength(1);
      api.clock.advance(7 * DAY_MS);
      await make(key, domain).expect(201);
    });

    it('are those of its successor after a rotation', async () => {
      const { key, domain } = await links.partner();
      await makeMany(key, [domain], MOST);
      const { body } = await api.as(MASTER).post(`/api-keys/${key}/rotate`).expect(201);
      await make(body.token, domain).expect(409);
      await make(key, domain).expect(201);
    });
  });
});
