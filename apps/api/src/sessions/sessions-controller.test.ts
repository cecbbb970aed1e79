import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, HOUR_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import supertest from 'supertest';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';

onHttpDatabase((kind) => {
  describe('a session', () => {
    let api: TestApi;

    beforeAll(async () => {
      api = await startTestApi(kind);
    });
    afterAll(() => api.close());

    const enter = async (token: string): Promise<Browser> => {
      const browser = new Browser(api.url);
      expect((await browser.enter(token)).status).toBe(201);
      return browser;
    };
    const keyIdOf = async (token: string): Promise<number> =>
      (await api.as(MASTER).get(`/api-keys/${token}`).expect(200)).body.id;

    it('is opened with a bearer token, and its cookie does what the token does', async () => {
      const key = await api.key('open');
      const browser = new Browser(api.url);
      const { body, headers } = await browser.enter(key);
      expect(headers['set-cookie']).toEqual([
        expect.stringMatching(/^__Host-mailstead=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/),
      ]);
      expect(body.caller).toEqual((await api.as(key).get('/me').expect(200)).body);
      expect((await browser.send('get', '/me').expect(200)).body).toEqual(body.caller);
      expect((await browser.send('get', '/sessions/current').expect(200)).body).toEqual(body);
      await browser.send('post', '/domains/', { name: 'open.example' }).expect(201);
      await api.as(key).get('/domains/open.example').expect(200);
    });

    it('stores neither its cookie nor its CSRF token', async () => {
      const browser = await enter(await api.key('stored'));
      const rows = JSON.stringify(await api.database.read('SELECT * FROM portal_session'));
      expect(rows).not.toContain(browser.cookie?.split('=')[1] ?? '');
      expect(rows).not.toContain(browser.csrf ?? '');
    });

    it.each([
      ['master', MASTER, 201],
      ['billing', BILLING, 201],
      ['read', READ, 201],
      ['policy', POLICY, 403],
      ['a wrong token', 'a-wrong-token-0123456789-0123456789', 401],
    ])('of %s: %s is %i', async (_, token, status) => {
      expect((await new Browser(api.url).enter(token)).status).toBe(status);
    });

    it('is not opened without a token, nor with the cookie of another one', async () => {
      await supertest(api.url).post('/sessions').expect(401);
      const browser = await enter(MASTER);
      const response = await browser.send('post', '/sessions').expect(401);
      expect(response.body.code).toBe('missing_token');
    });

    it('replaces the one whose cookie the browser had', async () => {
      const browser = await enter(await api.key('before'));
      await browser.enter(await api.key('after'));
      expect((await browser.send('get', '/me').expect(200)).body.partner_ref).toBe('after');
    });

    it('that ended, a wrong cookie and two different cookies are 401', async () => {
      const browser = await enter(await api.key('ended'));
      const ended = browser.cookie;
      const response = await browser.send('delete', '/sessions/current').expect(204);
      expect(response.headers['set-cookie']).toEqual([
        expect.stringContaining('__Host-mailstead=; Max-Age=0; Path=/;'),
      ]);
      const other = await enter(MASTER);
      for (const cookie of [
        ended,
        '__Host-mailstead=',
        `__Host-mailstead=${'x'.repeat(43)}`,
        `${other.cookie}; __Host-mailstead=${'x'.repeat(43)}`,
      ]) {
        const { body } = await supertest(api.url).get('/me').set('Cookie', String(cookie)).expect(401);
        expect(body.code).toBe('invalid_session');
      }
      const { body } = await supertest(api.url).get('/me').set('Cookie', 'x__Host-mailstead=1; a=b').expect(401);
      expect(body.code).toBe('missing_token');
      await supertest(api.url).get('/me').set('Cookie', `a=b; ${other.cookie};c=d`).expect(200);
    });

    it('yields to a bearer token in the same request', async () => {
      const browser = await enter(MASTER);
      const key = await api.key('bearer');
      const both = await browser.send('get', '/me').set('Authorization', `Bearer ${key}`).expect(200);
      expect(both.body.partner_ref).toBe('bearer');
      await browser.send('get', '/me').set('Authorization', 'Bearer ').expect(401);
      // Node sends it in Latin-1, as browsers do.
      const other = await browser.send('get', '/me').set('Authorization', 'Bearer schlüssel-von-acme').expect(401);
      expect(other.body).toMatchObject({ code: 'invalid_token', detail: 'Invalid token' });
      // A proxy may ask for a password of its own.
      await browser.send('get', '/me').set('Authorization', 'Basic eDp5').expect(200);
      await supertest(api.url)
        .post('/domains/')
        .set('Cookie', String(browser.cookie))
        .set('Authorization', `Bearer ${key}`)
        .send({ name: 'bearer.example' })
        .expect(201);
    });

    it('changes things only with its CSRF token', async () => {
      const key = await api.key('csrf');
      const browser = await enter(key);
      const other = await enter(key);
      const { csrf } = browser;
      for (const wrong of [null, '', 'x', other.csrf, `${csrf}x`]) {
        browser.csrf = wrong;
        const { body } = await browser.send('post', '/domains/', { name: 'csrf.example' }).expect(403);
        expect(body.code).toBe('csrf_token_required');
      }
      browser.csrf = csrf;
      await browser.send('post', '/domains/', { name: 'csrf.example' }).expect(201);
    });

    it('serves no page of another origin', async () => {
      const browser = await enter(await api.key('origin'));
      const { host } = new URL(api.url);
      for (const headers of [
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: `https://${host}` },
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site', Origin: api.url },
      ]) {
        const { body } = await browser.send('get', '/me').set(headers).expect(403);
        expect(body.code).toBe('origin_not_allowed');
        const opening = await supertest(api.url)
          .post('/sessions')
          .set('Authorization', `Bearer ${MASTER}`)
          .set(headers)
          .expect(403);
        expect(opening.body.code).toBe('origin_not_allowed');
      }
      await browser.send('get', '/me').set({ Origin: api.url, 'Sec-Fetch-Site': 'same-origin' }).expect(200);
      await browser.send('get', '/me').set({ 'Sec-Fetch-Site': 'none' }).expect(200);
    });

    it('is for this machine alone without TLS', async () => {
      const browser = await enter(await api.key('loopback'));
      for (const headers of [
        { Host: 'mail.example.com' },
        { Host: '192.0.2.1' },
        { 'X-Forwarded-For': '127.0.0.1' },
        { 'X-Forwarded-Proto': 'https' },
        { Forwarded: 'for=127.0.0.1' },
      ]) {
        const { body } = await browser.send('get', '/me').set(headers).expect(403);
        expect([body.code, body.detail]).toEqual(['session_needs_tls', expect.stringMatching(/^Sessions need TLS: /)]);
      }
      for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.2:1', '[::1]:8080']) {
        await browser.send('get', '/me').set('Host', host).expect(200);
      }
    });

    it('of a key ends with it, on the very next request', async () => {
      const key = await api.key('revoked');
      const id = await keyIdOf(key);
      const browser = await enter(key);
      await api.as(MASTER).put(`/api-keys/${id}`, { active: false }).expect(200);
      expect((await browser.send('get', '/me').expect(401)).body.code).toBe('api_key_inactive');
      await api.as(MASTER).put(`/api-keys/${id}`, { active: true, domains_allowed: 3 }).expect(200);
      expect((await browser.send('get', '/me').expect(200)).body.limits.domains_allowed).toBe(3);
      await api.as(MASTER).put(`/api-keys/${id}`, { expires_at: '2020-01-01' }).expect(200);
      expect((await browser.send('get', '/me').expect(401)).body.code).toBe('api_key_expired');
      await api.as(MASTER).delete(`/api-keys/${id}`).expect(204);
      expect((await browser.send('get', '/me').expect(401)).body.code).toBe('invalid_session');
    });

    it('is listed and ended by its own key or token alone', async () => {
      const key = await api.key('own');
      const [first, second] = [await enter(key), await enter(key)];
      const other = await enter(await api.key('own'));
      const listed = await second.send('get', '/sessions').expect(200);
      expect(listed.body).toEqual([
        expect.objectContaining({ id: first.id, current: false }),
        expect.objectContaining({ id: second.id, current: true }),
      ]);
      expect((await api.as(key).get('/sessions').expect(200)).body).toHaveLength(2);
      await other.send('delete', `/sessions/${first.id}`).expect(404);
      await api.as(MASTER).delete(`/sessions/${first.id}`).expect(404);
      await api.as(MASTER).get('/sessions/current').expect(404);
      await api.as(MASTER).delete('/sessions/current').expect(404);
      await second.send('delete', '/sessions/x').expect(404);
      await second.send('delete', `/sessions/${first.id}`).expect(204);
      await first.send('get', '/me').expect(401);
      await api.as(key).delete(`/sessions/${second.id}`).expect(204);
      await second.send('get', '/me').expect(401);
      await other.send('get', '/me').expect(200);
    });

    it('of a key can be ended with all others by master', async () => {
      const key = await api.key('all');
      const browsers = [await enter(key), await enter(key)];
      const other = await enter(await api.key('all'));
      await api.as(key).delete(`/api-keys/${key}/sessions`).expect(403);
      await api.as(MASTER).delete('/api-keys/999999/sessions').expect(404);
      await api.as(MASTER).delete(`/api-keys/${key}/sessions`).expect(204);
      for (const browser of browsers) await browser.send('get', '/me').expect(401);
      await other.send('get', '/me').expect(200);
      await api.as(key).get('/me').expect(200);
    });

    it.each([
      ['a key', () => api.key(`idle${Date.now()}`), 12 * HOUR_MS, 7 * DAY_MS],
      ['an operator', async () => BILLING, HOUR_MS, 10 * HOUR_MS],
    ])('of %s ends when it is not used, and in the end in any case', async (_, tokenOf, idleMs, longestMs) => {
      const token = await tokenOf();
      const browser = await enter(token);
      const openedAt = api.clock.now().getTime();
      while (api.clock.now().getTime() + idleMs - 1 < openedAt + longestMs) {
        api.clock.advance(idleMs - 1);
        await browser.send('get', '/me').expect(200);
        await api.flushStamps();
      }
      api.clock.advance(openedAt + longestMs - api.clock.now().getTime() - 1);
      await browser.send('get', '/me').expect(200);
      await api.flushStamps();
      api.clock.advance(1);
      await browser.send('get', '/me').expect(401);
      const unused = await enter(token);
      api.clock.advance(idleMs);
      await unused.send('get', '/me').expect(401);
      expect((await api.as(token).get('/sessions').expect(200)).body).toEqual([]);
    });

    it('is 503 while the database is away, never 401, and goes on afterwards', async () => {
      const browser = await enter(await api.key('outage'));
      const read = api.database.read.bind(api.database);
      api.database.read = () => Promise.reject(new AppError('database_unavailable'));
      const response = await browser.send('get', '/me');
      const ofMaster = await browser.enter(MASTER);
      Object.assign(api.database, { read });
      expect([response.status, response.body.code]).toEqual([503, 'database_unavailable']);
      expect(ofMaster.status).not.toBe(401);
      await browser.send('get', '/me').expect(200);
    });

    it('has idempotency keys of its own', async () => {
      const key = await api.key('idempotent');
      const browser = await enter(key);
      const body = { name: 'idempotent.example' };
      const first = await browser.send('post', '/domains/', body).set('Idempotency-Key', 'k').expect(201);
      const repeated = await browser.send('post', '/domains/', body).set('Idempotency-Key', 'k').expect(201);
      expect([repeated.body, repeated.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
      await api.as(key).post('/domains/', body).set('Idempotency-Key', 'k').expect(400);
      await (await enter(key)).send('post', '/domains/', body).set('Idempotency-Key', 'k').expect(400);
    });
  });
});
