import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import type { Suppression } from '@mailstead/core/suppressions/suppression';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { SuppressionWorld } from './testing/suppression-world.js';

onHttpDatabase((kind) => {
  let api: TestApi;
  let world: SuppressionWorld;

  beforeAll(async () => {
    api = await startTestApi(kind);
    world = new SuppressionWorld(api);
  });
  afterAll(() => api.close());

  const partnerEvents = async (token: string) => {
    const body = await world.eventsOf(token, 'suppression.created,suppression.deleted');
    return body as { type: string; subject: string; domain: string | null; data: object }[];
  };

  describe('POST /suppressions', () => {
    it('suppresses an address for a domain or for all of the partner, in lower case', async () => {
      const { key, domain } = await world.someone();
      const own = await api
        .as(key)
        .post('/suppressions/', { address: 'Joe@BÜCHER.example', domain, note: 'wished' })
        .expect(201);
      expect(own.body).toEqual({
        id: expect.any(Number),
        address: 'joe@xn--bcher-kva.example',
        domain,
        reason: 'manual',
        note: 'wished',
        since: expect.stringMatching(/^\d{4}-/),
        expires_at: null,
        provider: 'none',
      });
      const all = await api.as(key).post('/suppressions', { address: 'joe@bücher.example', domain: null }).expect(201);
      expect(all.body).toMatchObject({ domain: null, note: null });
      expect(all.body.id).not.toBe(own.body.id);
    });

    it('answers 200 with what exists, unchanged', async () => {
      const { key, domain } = await world.someone();
      const id = await world.suppress(key, { address: 'a@out.example', domain, note: 'first' });
      const again = await api.as(key).post('/suppressions', { address: 'A@out.example', domain, note: 'second' });
      expect([again.status, again.body.id, again.body.note]).toEqual([200, id, 'first']);
      expect(await partnerEvents(key)).toHaveLength(1);
    });

    it.each([
      ['no address', {}, 'address'],
      ['a text that is no address', { address: 'joe' }, 'address'],
      ['an address literal', { address: 'joe@[192.0.2.1]' }, 'address'],
      ['a domain that is no name', { address: 'a@out.example', domain: 'nö name' }, 'domain'],
      ['a note with a control character', { address: 'a@out.example', note: 'a\u0007' }, 'note'],
      ['a note that is too long', { address: 'a@out.example', note: 'n'.repeat(129) }, 'note'],
      ['an unknown field', { address: 'a@out.example', reason: 'bounce' }, 'reason'],
    ])('with %s names the field and changes nothing', async (_, body, field) => {
      const { key } = await world.someone();
      const refused = await api.as(key).post('/suppressions', body).expect(422);
      expect(refused.body.errors).toMatchObject([{ field }]);
      expect(await world.listOf(key)).toEqual([]);
    });

    it('is for master with a domain or a partner, and names the one that is missing', async () => {
      const { partner, key, domain } = await world.someone();
      await world.suppress(MASTER, { address: 'm1@out.example', domain });
      await world.suppress(MASTER, { address: 'm2@out.example', partner_ref: partner });
      expect(await world.listOf(key)).toEqual(['m1@out.example', 'm2@out.example']);
      const none = await api.as(MASTER).post('/suppressions', { address: 'm3@out.example' }).expect(422);
      expect(none.body.errors).toMatchObject([{ field: 'partner_ref' }]);
      const both = { address: 'm3@out.example', domain, partner_ref: partner };
      await api.as(MASTER).post('/suppressions', both).expect(422);
      await api.as(MASTER).post('/suppressions', { address: 'm3@out.example', partner_ref: 'nobody' }).expect(404);
      const refused = await api.as(key).post('/suppressions', { address: 'm3@out.example', partner_ref: partner });
      expect([refused.status, refused.body.code]).toEqual([403, 'master_token_required']);
    });

    it('writes an event and an audit row with the address, about the domain or the partner', async () => {
      const { partner, key, domain, limited } = await world.someone();
      const id = await world.suppress(key, { address: 'e1@out.example', domain, note: 'n' });
      await world.suppress(key, { address: 'e2@out.example' });
      await api.as(key).delete(`/suppressions/${id}`).expect(204);
      expect(await partnerEvents(key)).toMatchObject([
        { type: 'suppression.created', subject: 'e1@out.example', domain },
        { type: 'suppression.created', subject: 'e2@out.example', domain: null },
        { type: 'suppression.deleted', subject: 'e1@out.example', domain },
      ]);
      expect((await partnerEvents(limited)).map(({ subject }) => subject)).toEqual([
        'e1@out.example',
        'e1@out.example',
      ]);
      const { body } = await api.as(MASTER).get(`/audit?partner_ref=${partner}&action=suppression.create`).expect(200);
      expect(body).toMatchObject([
        { subject: 'e1@out.example', after: { address: 'e1@out.example', domain, reason: 'manual', note: 'n' } },
        { subject: 'e2@out.example', after: { domain: null } },
      ]);
    });
  });

  describe('POST /suppressions/bulk', () => {
    it('answers each item as a single request would be, in order', async () => {
      const { key, domain } = await world.someone();
      await world.suppress(key, { address: 'known@out.example', domain });
      const items = [
        { address: 'new@out.example', domain },
        { address: 'known@out.example', domain },
        { address: 'wrong' },
        { address: 'new@out.example', domain },
        { address: 'a@out.example', domain: 'absent.example' },
      ];
      const { body } = await api.as(key).post('/suppressions/bulk', { items }).expect(200);
      expect((body as { status: number }[]).map(({ status }) => status)).toEqual([201, 200, 422, 200, 404]);
      expect(await world.listOf(key)).toEqual(['known@out.example', 'new@out.example']);
    });

    it('takes 500 items', async () => {
      const { key } = await world.someone();
      const items = Array.from({ length: 500 }, (_, index) => ({ address: `b${index}@out.example` }));
      const { body } = await api.as(key).post('/suppressions/bulk', { items }).expect(200);
      expect(new Set((body as { status: number }[]).map(({ status }) => status))).toEqual(new Set([201]));
      await api
        .as(key)
        .post('/suppressions/bulk', { items: [...items, items[0]] })
        .expect(422);
      expect(await world.listOf(key)).toHaveLength(500);
    });
  });

  describe('GET /suppressions', () => {
    it('filters, pages and counts', async () => {
      const { key, domain, other } = await world.someone();
      for (const name of ['anna', 'anton', 'berta'])
        await world.suppress(key, { address: `${name}@out.example`, domain });
      await world.suppress(key, { address: 'anna@out.example', domain: other });
      await world.suppress(key, { address: 'all@out.example' });
      await world.found(domain, 'bounced@out.example', 'bounce');
      expect(await world.listOf(key, `?domain=${domain}&q=An`)).toEqual(['anna@out.example', 'anton@out.example']);
      expect(await world.listOf(key, '?reason=bounce')).toEqual(['bounced@out.example']);
      expect(await world.listOf(key, '?q=%C3%BC')).toEqual([]);
      const first = await api.as(key).get('/suppressions?limit=2&order=desc&total=true').expect(200);
      expect((first.body as Suppression[]).map(({ address }) => address)).toEqual([
        'bounced@out.example',
        'all@out.example',
      ]);
      expect(first.headers['total-count'] ?? first.headers['x-total-count']).toBe('6');
      const next = /<([^>]+)>/.exec(first.headers.link ?? '')?.[1] ?? '';
      expect(await world.listOf(key, next.slice(next.indexOf('?')))).toHaveLength(2);
      await api.as(key).get('/suppressions?reason=other').expect(422);
      await api.as(key).get('/suppressions?q=%20').expect(422);
      await api.as(key).get('/suppressions?domain=absent.example').expect(404);
    });

    it('is CSV for clients that ask for it', async () => {
      const { key, domain } = await world.someone();
      const id = await world.suppress(key, { address: 'c@out.example', domain, note: '=1+1, "two"' });
      const csv = await api.as(key).get('/suppressions').set('Accept', 'text/csv').expect(200);
      expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
      const [header, line] = csv.text.split('\r\n');
      expect(header).toBe('id,address,domain,reason,note,since,expires_at,provider');
      expect(line).toMatch(new RegExp(`^${id},c@out\\.example,${domain},manual,"'=1\\+1, ""two""",2`));
    });

    it('shows no expired ones, at once', async () => {
      const { key, domain } = await world.someone();
      const before = api.clock.now();
      const id = await world.found(domain, 'expiring@out.example', 'bounce', 1);
      expect(await world.listOf(key)).toEqual(['expiring@out.example']);
      api.clock.advance(DAY_MS);
      const late = [await world.listOf(key), (await api.as(key).delete(`/suppressions/${id}`)).status];
      api.clock.set(before);
      expect(late).toEqual([[], 404]);
    });
  });

  describe('DELETE /suppressions/{id}', () => {
    it('lifts what bounced or was made by hand, and leaves complaints to master', async () => {
      const { key, domain } = await world.someone();
      const bounced = await world.found(domain, 'lift1@out.example', 'bounce');
      const complained = await world.found(domain, 'lift2@out.example', 'complaint');
      await api.as(key).delete(`/suppressions/${bounced}`).expect(204);
      await api.as(key).delete(`/suppressions/${bounced}`).expect(404);
      const refused = await api.as(key).delete(`/suppressions/${complained}`).expect(403);
      expect(refused.body.code).toBe('complaint_not_liftable');
      expect(await world.listOf(key)).toEqual(['lift2@out.example']);
      await api.as(MASTER).delete(`/suppressions/${complained}`).expect(204);
      expect(await world.listOf(key)).toEqual([]);
    });

    it('of what another partner has answers as if it was absent', async () => {
      const [one, two] = [await world.someone(), await world.someone()];
      const id = await world.suppress(one.key, { address: 'mine@out.example', domain: one.domain });
      const complaint = await world.found(one.domain, 'hidden@out.example', 'complaint');
      for (const each of [id, complaint, 'x', 999_999]) {
        const { status, body } = await api.as(two.key).delete(`/suppressions/${each}`);
        expect([status, body.code]).toEqual([404, 'suppression_not_found']);
      }
      expect(await world.listOf(two.key)).toEqual([]);
      expect(await world.listOf(two.key, `?partner_ref=${one.partner}`)).toEqual([]);
      await api.as(two.key).get(`/suppressions?domain=${one.domain}`).expect(404);
      await api.as(two.key).post('/suppressions', { address: 'x@out.example', domain: one.domain }).expect(404);
    });
  });

  describe('a caller that is limited to a domain', () => {
    it.each(['key', 'link'] as const)('a %s names it, and has none of the partner as a whole', async (by) => {
      const { key, domain, other, limited } = await world.someone();
      const whole = await world.suppress(key, { address: 'whole@out.example' });
      const foreign = await world.suppress(key, { address: 'other@out.example', domain: other });
      const guest =
        by === 'link' ? await world.links.enter(await world.links.create(key, { domain, scope: 'manage' })) : null;
      const send = async (method: 'get' | 'post' | 'delete' | 'put', path: string, body?: object) => {
        const response =
          guest === null ? await api.as(limited)[method](path, body as never) : await guest.send(method, path, body);
        return [response.status, (response.body as { code?: string }).code];
      };
      const refused = [403, 'key_limited_to_domains'];
      expect(await send('get', '/suppressions')).toEqual(refused);
      expect(await send('post', '/suppressions', { address: 'l@out.example' })).toEqual(refused);
      const ofPartner = by === 'link' ? [403, 'link_not_allowed'] : refused;
      expect(await send('get', '/me/suppressions')).toEqual(ofPartner);
      expect(await send('put', '/me/suppressions', { mode: 'refuse' })).toEqual(ofPartner);
      expect(await send('post', '/suppressions', { address: 'l@out.example', domain })).toEqual([201, undefined]);
      expect(await send('post', '/suppressions', { address: 'l@out.example', domain: other })).toEqual([
        404,
        'domain_not_found',
      ]);
      expect(await send('get', `/suppressions?domain=${domain}`)).toEqual([200, undefined]);
      for (const id of [whole, foreign]) {
        expect(await send('delete', `/suppressions/${id}`)).toEqual([404, 'suppression_not_found']);
      }
      expect(await world.listOf(limited, `?domain=${domain}`)).toEqual(['l@out.example']);
    });
  });

  it('operators with narrower scopes read at most', async () => {
    const { key, domain } = await world.someone();
    await world.suppress(key, { address: 'scope@out.example', domain });
    expect(await world.listOf(READ, `?domain=${domain}`)).toEqual(['scope@out.example']);
    for (const token of [BILLING, POLICY]) await api.as(token).get('/suppressions').expect(403);
    for (const token of [READ, BILLING, POLICY]) {
      await api.as(token).post('/suppressions', { address: 'x@out.example', domain }).expect(403);
    }
  });
});
