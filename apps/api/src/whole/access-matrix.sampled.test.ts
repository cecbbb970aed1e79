import { request as httpRequest } from 'node:http';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { sampled } from '@mailstead/core/testing/sampled';
import { SEED } from '../../../../scripts/fast-check.mjs';
import type { Route } from '../http/route.js';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

const WRONG = 'a-wrong-token-0123456789-0123456789';

interface Answer {
  status: number;
  body: { code?: string; detail?: string };
}

/**
 * Calls every route with every kind of token. The routes come from the application, so these tests also cover new
 * routes and fail until a new route refuses the callers that it must refuse.
 */
onHttpDatabase((kind) => {
  let api: TestApi;
  let tokens: Record<
    'own' | 'other' | 'inactive' | 'expired' | 'made' | 'otherMade' | 'read' | 'limited' | 'ofInactive' | 'ofExpired',
    string
  >;

  beforeAll(async () => {
    api = await startTestApi(kind);
    const [own, inactive, expired] = [await api.key('acme'), await api.key('acme'), await api.key('acme')];
    const createKey = async (token: string): Promise<string> =>
      (await api.as(token).post('/me/keys').expect(201)).body.token as string;
    const other = await api.key('rival');
    tokens = {
      own,
      other,
      otherMade: await createKey(other),
      inactive,
      expired,
      made: await createKey(await createKey(own)),
      read: await api.key('acme', { scope: 'read' }),
      limited: await api.key('acme'),
      ofInactive: await createKey(await createKey(inactive)),
      ofExpired: await createKey(expired),
    };
    await api.as(MASTER).put(`/api-keys/${inactive}`, { active: false }).expect(200);
    await api.as(MASTER).put(`/api-keys/${expired}`, { expires_at: '2020-01-01' }).expect(200);
    await api.as(tokens.own).post('/domains/', { name: 'matrix.example' }).expect(201);
    await api
      .as(MASTER)
      .put(`/api-keys/${tokens.limited}`, { domains: ['matrix.example'] })
      .expect(200);
    await api.as(tokens.own).post('/users/', { email: 'box@matrix.example', password: 'long enough' }).expect(201);
  });
  afterAll(() => api.close());

  /** Returns the route's path with resources of the partner "acme" as parameters. */
  const pathOf = (route: Route) =>
    route.path
      .replace(':domain_name', 'matrix.example')
      .replace(':email', 'box@matrix.example')
      .replace(':alias', '999999')
      .replace(':token', tokens.own)
      .replace(':partner_ref', 'acme')
      .replace(':file', 'start.js')
      .replace(/:\w+/, 'absent');

  const call = (route: Route, token: string | null) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
      const request = httpRequest(
        `${api.url}${pathOf(route)}`,
        { method: route.method.toUpperCase(), headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({
              status: response.statusCode ?? 0,
              body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {},
            });
          });
        },
      );
      request.on('error', reject).end();
    });

  const guarded = () => api.routes.filter(({ access }) => access !== 'public');
  const label = ({ method, path }: Route) => `${method} ${path}`;

  it('refuses requests without a valid token on every route, with a separate detail for each cause', async () => {
    const causes = [
      [WRONG, 'Invalid token'],
      [tokens.inactive, 'API key is inactive'],
      [tokens.expired, 'API key has expired'],
      [tokens.ofInactive, 'API key is inactive'],
      [tokens.ofExpired, 'API key has expired'],
    ] as const;
    for (const [index, route] of guarded().entries()) {
      for (const [token, detail] of [[null, 'Missing bearer token'] as const, ...sampled(causes, 1, SEED + index)]) {
        const { status, body } = await call(route, token);
        expect([label(route), status, body.detail]).toEqual([label(route), 401, detail]);
      }
    }
  });

  it('refuses clients on every master route, before any other check', async () => {
    for (const route of guarded().filter(({ access }) => access === 'master')) {
      for (const token of [tokens.own, tokens.made, tokens.read, tokens.limited]) {
        const { status, body } = await call(route, token);
        expect([label(route), status, body.detail]).toEqual([label(route), 403, 'Master token required']);
      }
    }
  });

  it('refuses keys with the scope read every change, and their own keys', async () => {
    const routes = guarded().filter(({ access, method, whileSuspended, readKeys }) => {
      const isChange = method !== 'get' && whileSuspended !== true;
      return (access === 'key' && readKeys !== true) || (access !== 'master' && isChange);
    });
    expect(routes.length).toBeGreaterThan(10);
    for (const route of routes) {
      const { status, body } = await call(route, tokens.read);
      expect([label(route), status, body.detail]).toEqual([label(route), 403, 'Key may only read']);
    }
  });

  it('refuses keys that are limited to some domains what is about the whole partner', async () => {
    const routes = guarded().filter(({ access, wholePartner }) => access === 'key' || wholePartner === true);
    expect(routes.length).toBeGreaterThan(8);
    for (const route of routes) {
      const { status, body } = await call(route, tokens.limited);
      expect([label(route), status, body.detail]).toEqual([label(route), 403, 'Key is limited to some domains']);
    }
  });

  it('refuses master and operators the routes of keys', async () => {
    for (const route of guarded().filter(({ access }) => access === 'key')) {
      for (const token of [MASTER, POLICY, BILLING, READ]) {
        const { status, body } = await call(route, token);
        expect([label(route), status, body.detail]).toEqual([label(route), 403, 'API key of a partner required']);
      }
    }
  });

  it('refuses operators outside their scope, on every route', async () => {
    for (const route of guarded().filter(({ access }) => access !== 'any' && access !== 'key')) {
      for (const [scope, token] of [
        ['policy', POLICY],
        ['billing', BILLING],
        ['read', READ],
      ] as const) {
        const allowed = scope === 'read' ? route.method === 'get' : route.scopes?.includes(scope) === true;
        if (allowed) continue;
        const { status, body } = await call(route, token);
        expect([label(route), scope, status, body.detail]).toEqual([
          label(route),
          scope,
          403,
          'Token scope does not allow this',
        ]);
      }
    }
  });

  it('allows the read scope every GET and no other method, except for its own sessions', async () => {
    for (const route of guarded().filter(({ access }) => access !== 'key')) {
      const { status } = await call(route, READ);
      if (route.method === 'get' || route.access === 'any')
        expect([label(route), status]).not.toEqual([label(route), 403]);
      else expect([label(route), status]).toEqual([label(route), 403]);
    }
  });

  it("responds to another partner's resource exactly as to an absent one, on every route", async () => {
    const resourceRoutes = guarded().filter(
      ({ access, path }) => access === 'client' && /:(domain_name|email)/.test(path),
    );
    expect(resourceRoutes.length).toBeGreaterThan(10);
    for (const route of resourceRoutes) {
      for (const token of [tokens.other, tokens.otherMade]) {
        // An invalid body is refused with 422 before the resource is searched, for every caller.
        const foreign = await call(route, token);
        if (foreign.status === 422) continue;
        expect([label(route), foreign.status]).toEqual([label(route), 404]);
      }
    }
  });

  it('accepts the master token on every route', async () => {
    // Deletions are last, because the other requests need the resources.
    const those = guarded().filter(({ access }) => access !== 'key');
    const routes = those.sort((left, right) => Number(left.method === 'delete') - Number(right.method === 'delete'));
    for (const route of routes) {
      const { status } = await call(route, MASTER);
      expect([label(route), [401, 403, 405, 500].includes(status)]).toEqual([label(route), false]);
    }
    expect(api.log.defects).toEqual([]);
  });
});
