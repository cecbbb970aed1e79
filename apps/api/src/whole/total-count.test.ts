import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

const COUNTED = 20_000;
const SHARED = 'shared@out.example';
const LISTS = ['/domains/', '/users/', '/aliases/', '/partners/', '/api-keys/'];

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let rival: string;
  let limited: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    rival = await api.key('rival');
    for (const [token, domains] of [
      [acme, ['acme-1.example', 'acme-2.example', 'acme-3.example']],
      [rival, ['rival-1.example', 'rival-2.example']],
    ] as const) {
      for (const [index, name] of domains.entries()) {
        const external_ref = index === 0 ? 'order-1' : null;
        await api.as(token).post('/domains/', { name, external_ref }).expect(201);
        const email = `info@${name}`;
        await api.as(token).post('/users/', { email, password: 'Correct-horse-9', external_ref }).expect(201);
        await api
          .as(token)
          .post('/aliases/', { address: `all@${name}`, destination: email })
          .expect(201);
      }
    }
    limited = await api.key('acme', { domains: ['acme-2.example'] });
  });
  afterAll(() => api.close());

  const totalOf = async (token: string, path: string): Promise<string | undefined> => {
    const joined = `${path}${path.includes('?') ? '&' : '?'}limit=1&total=true`;
    const { headers } = await api.as(token).get(joined).expect(200);
    return (headers as Record<string, string>)['total-count'];
  };
  const rowsOf = async (token: string, path: string): Promise<number> =>
    ((await api.as(token).get(path).expect(200)).body as unknown[]).length;

  it.each(LISTS)('total=true counts the whole list of %s, whatever page, for operators', async (path) => {
    const rows = await rowsOf(MASTER, path);
    expect(rows).toBeGreaterThan(1);
    expect(await totalOf(MASTER, path)).toBe(String(rows));
    expect(await totalOf(READ, path)).toBe(String(rows));
  });

  it.each([
    '/domains/',
    '/domains/?view=full',
    '/domains/?q=acme',
    '/domains/?q=1',
    '/domains/?q=order',
    '/domains/?external_ref=order-1',
    '/domains/?inbound=pending&q=acme&status=active',
    '/domains/?verification_status=verified',
    '/domains/?attention=true',
    '/domains/?partner_ref=rival',
    '/domains/?order=desc',
    '/users/',
    '/users/?q=order',
    '/users/?q=info&active=true',
    '/users/?domain=acme-2.example',
    '/aliases/',
    '/aliases/?q=all',
    '/aliases/?destination=info@acme-2.example',
  ])('the number of %s is that of the rows that the caller gets', async (path) => {
    for (const token of [acme, limited, rival, MASTER]) {
      const isOfOther = path.includes('domain=acme-2') && token === rival;
      if (isOfOther) continue;
      expect([token, await totalOf(token, path)]).toEqual([token, String(await rowsOf(token, path))]);
    }
  });

  it('after a page the number stays that of the whole list', async () => {
    const { body } = await api.as(acme).get('/domains/').expect(200);
    const [, second] = body as { id: number }[];
    expect(await totalOf(acme, `/domains/?after=${second?.id}`)).toBe('3');
    expect(await totalOf(MASTER, '/partners/?after=acme')).toBe(await totalOf(MASTER, '/partners/'));
  });

  it.each(LISTS)('total=true without limit is refused for %s, and names the field', async (path) => {
    const { body } = await api.as(MASTER).get(`${path}?total=true`).expect(422);
    expect(body.errors).toEqual([{ field: 'total', message: expect.stringContaining('`limit`') as string }]);
    await api.as(MASTER).get(`${path}?limit=1&total=false`).expect(422);
  });

  it('a list has no number without total=true', async () => {
    const { headers } = await api.as(acme).get('/domains/?limit=1').expect(200);
    expect(headers).not.toHaveProperty('total-count');
  });

  describe('of long lists', () => {
    /** Of two aliases one, or all, deliver to the shared address. */
    async function addAliases(domain: string, first: number, last: number, shared: 1 | 2 = 2): Promise<void> {
      const [row] = await api.database.read('SELECT id, partner_id FROM domain WHERE name = ?', [domain]);
      const digits = Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS d`).join(' UNION ALL ');
      const places = ['e', 'f', 'g', 'h', 'i'].map((place) => `(${digits}) ${place}`).join(', ');
      const address = kind === 'sqlite' ? "'a' || n || ?" : "CONCAT('a', n, ?)";
      await api.database.write(
        `INSERT INTO alias (domain_id, partner_id, address, destination, created_at)
         SELECT ?, ?, ${address}, CASE WHEN n % ? = 0 THEN ? ELSE 'other@out.example' END, 0 FROM
           (SELECT e.d + 10 * f.d + 100 * g.d + 1000 * h.d + 10000 * i.d AS n FROM ${places}) numbers
         WHERE n BETWEEN ? AND ? ORDER BY n`,
        [Number(row?.id), Number(row?.partner_id), `@${domain}`, shared, SHARED, first, last],
      );
    }

    it('20,000 rows are counted, one more is 20000+, and several filters say what they found among 20,000', async () => {
      await addAliases('rival-1.example', 3, COUNTED);
      expect(await totalOf(rival, '/aliases/')).toBe('20000');
      await addAliases('rival-1.example', COUNTED + 1, COUNTED + 1);
      expect(await totalOf(rival, '/aliases/')).toBe('20000+');
      expect(await totalOf(MASTER, '/aliases/')).toBe('20000+');
      expect(await totalOf(rival, '/aliases/?q=a')).toBe('20000+');
      expect(await totalOf(rival, `/aliases/?q=a&destination=${SHARED}`)).toBe('9999');
    });

    it('of one partner tell nothing to others, nor what is outside its domains to a limited key', async () => {
      await addAliases('rival-2.example', 2, COUNTED + 2, 1);
      expect(await totalOf(rival, `/aliases/?destination=${SHARED}`)).toMatch(/^\d+\+$/);
      await addAliases('acme-2.example', 2, 3);
      expect(await totalOf(acme, `/aliases/?destination=${SHARED}`)).toBe('1');
      await addAliases('acme-1.example', 1, COUNTED + 2, 1);
      expect(await totalOf(limited, '/aliases/')).toBe('3');
      expect(await totalOf(limited, '/aliases/?q=a')).toBe('3');
      expect(await totalOf(limited, `/aliases/?destination=${SHARED}`)).toBe('1');
      expect(await totalOf(limited, `/aliases/?q=a2&destination=${SHARED}`)).toBe('1');
    });
  });
});
