import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { CreateApiKey } from '@mailstead/core/api-keys/create-api-key';
import { CreateDomain } from '@mailstead/core/domains/create-domain';
import { type DomainName, parseDomainName } from '@mailstead/core/domains/domain-name';
import { systemActor } from '@mailstead/core/operators/actor';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { sampled } from '@mailstead/core/testing/sampled';
import { SEED } from '../../../../scripts/fast-check.mjs';
import { MASTER, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

const DOTS = ['.', '..'];
const REFUSED = {
  code: 'validation_failed',
  errors: [{ field: 'partner_ref', message: expect.stringContaining('must not be . or ..') as string }],
};

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
    await api.key('acme');
    await api.as(MASTER).post('/domains/', { name: 'acme.example', partner_ref: 'acme' }).expect(201);
  });
  afterAll(() => api.close());

  /** Sends the path as it is. Client libraries change `..` and `%2e%2e`. */
  const exactly = async (
    method: string,
    path: string,
    body: object = {},
    token = MASTER,
  ): Promise<[number, unknown]> => {
    const { hostname, port } = new URL(api.url);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const sent = request({ hostname, port, method, path, headers }).end(method === 'GET' ? '' : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return [response.statusCode ?? 0, await json(response)];
  };

  describe.each(DOTS)('the partner reference %s', (ref) => {
    it('is refused wherever a body names a partner, and nothing is changed', async () => {
      const before = (await api.as(MASTER).get('/partners/').expect(200)).body as unknown;
      const bodies = [
        await api.as(MASTER).post('/api-keys/', { token: 'ms_of-a-partner-of-dots', partner_ref: ref }),
        await api.as(MASTER).post('/domains/', { name: 'dots.example', partner_ref: ref }),
        await api.as(MASTER).put('/domains/acme.example/partner', { partner_ref: ref }),
        await api.as(MASTER).post('/suppressions', { address: 'joe@elsewhere.example', partner_ref: ref }),
      ];
      expect(bodies.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
      for (const { body } of bodies) expect(body).toMatchObject(REFUSED);
      const { body } = await api.as(MASTER).post('/domains/bulk', { items: [{ name: 'd.example', partner_ref: ref }] });
      expect(body).toMatchObject([{ status: 422, problem: REFUSED }]);
      expect((await api.as(MASTER).get('/partners/').expect(200)).body).toEqual(before);
    });

    it('is refused in every path, also when it is written with % signs', async () => {
      const bodies: Record<string, object> = { put: {}, relay: { status: 'paused' }, suppressions: { mode: 'list' } };
      const routes = api.routes.filter(({ path }) => path.includes(':partner_ref'));
      expect(routes.length).toBeGreaterThan(8);
      for (const spelled of [ref, ref.replaceAll('.', '%2e'), ref.replace('.', '%2E')]) {
        for (const { method, path } of routes) {
          const query = path.endsWith('/usage') ? '?month=2026-01' : '';
          const body = bodies[path.split('/').at(-1) ?? ''] ?? {};
          const answer = await exactly(method.toUpperCase(), path.replace(':partner_ref', spelled) + query, body);
          expect([method, path, ...answer]).toEqual([method, path, 422, expect.objectContaining(REFUSED)]);
        }
      }
    });
  });

  it('no route takes dots, slashes or backslashes for a name in its path', async () => {
    const key = await api.key('acme');
    const routes = api.routes.filter(({ path }) => path.includes(':') && !path.startsWith('/docs/'));
    expect(routes.length).toBeGreaterThan(60);
    const taken: unknown[] = [];
    const spellings = ['.', '..', '%2e%2E', '%252e%252e', '..%2f..%2fme', '..%5c..', '%00'];
    const calls = spellings.flatMap((spelled) => [MASTER, key].map((token) => ({ spelled, token })));
    for (const [index, { method, path }] of routes.entries()) {
      for (const { spelled, token } of sampled(calls, 2, SEED + index)) {
        const [status] = await exactly(method.toUpperCase(), path.replaceAll(/:\w+/g, spelled), {}, token);
        if (status < 400 || status >= 500) taken.push([method, path, spelled, status]);
      }
    }
    expect(taken).toEqual([]);
    expect(api.log.defects).toEqual([]);
  });

  it('references that only have dots in them are taken', async () => {
    for (const ref of ['...', '.a', 'a..b', '..a', 'a.']) {
      await api.key(ref);
      await api.as(MASTER).get(`/partners/${ref}`).expect(200);
    }
  });

  it('that a former release took stay readable by ?partner_ref=, and their domains can be moved away', async () => {
    const master = api.as(MASTER);
    for (const [index, ref] of DOTS.entries()) {
      const name = `former-${index}.example`;
      const token = `ms_of-a-former-release-${index}`;
      await addFormer(ref as PartnerRef, parseDomainName(name) as DomainName, token);
      await api.as(token).get(`/domains/${name}`).expect(200);

      const rows = async (path: string): Promise<unknown> =>
        (await master.get(`${path}${path.includes('?') ? '&' : '?'}partner_ref=${ref}`).expect(200)).body;
      expect(await rows('/domains/')).toMatchObject([{ name }]);
      expect(await rows('/api-keys/')).toMatchObject([{ partner_ref: ref }]);
      expect(await rows('/audit?action=domain.create')).toMatchObject([{ partner_ref: ref }]);
      for (const path of [
        '/events',
        '/deleted',
        '/portal-links',
        '/webhook-endpoints',
        '/me/attention',
        '/suppressions',
      ]) {
        expect(await rows(path)).toEqual(expect.any(Array));
      }
      expect(await rows('/outbound/days')).toHaveLength(30);
      expect((await api.as(READ).get(`/domains/?partner_ref=${ref}`).expect(200)).body).toMatchObject([{ name }]);
      expect((await master.get(`/partners/?q=${ref}`).expect(200)).body).toContainEqual(
        expect.objectContaining({ partner_ref: ref }),
      );
      expect((await master.get(`/partners/?after=${ref}`).expect(200)).body).not.toContainEqual(
        expect.objectContaining({ partner_ref: ref }),
      );

      await master.put(`/domains/${name}/partner`, { partner_ref: 'acme' }).expect(200);
      expect(await rows('/domains/')).toEqual([]);
    }
  });

  /** Adds what earlier releases added for such a reference. */
  const addFormer = async (partnerRef: PartnerRef, name: DomainName, token: string): Promise<void> => {
    await api.container.get(CreateApiKey).execute(systemActor('demo'), {
      token,
      partnerRef,
      name: null,
      domainsAllowed: 5,
      mailboxesPerDomain: 5,
      aliasesPerMailbox: 5,
      active: true,
      expiresAt: null,
      scope: 'manage',
      domains: null,
    });
    const command = { name, partnerRef, externalRef: null };
    await api.container.get(CreateDomain).execute(systemActor('demo'), command);
  };
});
