import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { LinkWorld } from '../testing/link-world.js';
import { verifyDomain } from '../testing/verify-domain.js';

interface Answer {
  steps: { step: string; done: boolean }[];
  domain: string | null;
  mailbox: string | null;
}

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  const read = async (token: string, query = ''): Promise<Answer> =>
    (await api.as(token).get(`/me/first-steps${query}`).expect(200)).body;
  /** The first step that is not done, with what it is done with. */
  const next = async (token: string, query = '') => {
    const { steps, domain, mailbox } = await read(token, query);
    return [steps.find(({ done }) => !done)?.step ?? null, domain, mailbox];
  };
  const stepsOf = async (token: string, query = '') => (await read(token, query)).steps.map(({ step }) => step);
  const addMailbox = (token: string, email: string) =>
    api.as(token).post('/users/', { email, password: 'correct horse battery' }).expect(201);
  const send = (domain: string) =>
    api.as(POLICY).post(`/domains/${domain}/outbound/increment`, { count: 1, record: true }).expect(200);

  it('lead an operator from a partner to the first message, and are then done for good', async () => {
    expect(await read(MASTER)).toEqual({
      steps: ['partner', 'domain', 'dns', 'mailbox', 'message'].map((step) => ({ step, done: false })),
      domain: null,
      mailbox: null,
    });
    const acme = await api.key('acme');
    expect(await next(MASTER)).toEqual(['domain', null, null]);
    await api.as(acme).post('/domains/', { name: 'typo.example' }).expect(201);
    await verifyDomain(api, acme, 'acme.example');
    expect(await next(MASTER)).toEqual(['mailbox', 'acme.example', null]);
    await addMailbox(acme, 'anna@acme.example');
    for (const token of [MASTER, READ, BILLING, acme])
      expect(await next(token)).toEqual(['message', 'acme.example', 'anna@acme.example']);
    await send('acme.example');
    for (const token of [MASTER, READ, BILLING, acme]) expect(await next(token)).toEqual([null, null, null]);
    for (const name of ['typo.example', 'acme.example']) await api.as(acme).delete(`/domains/${name}`).expect(204);
    for (const token of [MASTER, acme]) expect(await next(token)).toEqual([null, null, null]);
  });

  it('of a partner follow what it has, step by step, and a partner is none of them', async () => {
    const beta = await api.key('beta');
    expect(await stepsOf(beta)).toEqual(['domain', 'dns', 'mailbox', 'message']);
    expect(await next(beta)).toEqual(['domain', null, null]);
    await api.as(beta).post('/domains/', { name: 'beta.example' }).expect(201);
    expect(await next(beta)).toEqual(['dns', 'beta.example', null]);
    await addMailbox(beta, 'bo@beta.example');
    expect(await read(beta)).toMatchObject({
      steps: [{ done: true }, { step: 'dns', done: false }, { step: 'mailbox', done: true }, { done: false }],
      mailbox: 'bo@beta.example',
    });
    expect(await next(MASTER, '?partner_ref=beta')).toEqual(['dns', 'beta.example', 'bo@beta.example']);
    expect(await stepsOf(MASTER, '?partner_ref=beta')).not.toContain('partner');
  });

  it('tell nothing of another partner, nor a limited key or a link of another domain', async () => {
    const world = new LinkWorld(api);
    const { key, domain, other, partner } = await world.partner();
    await verifyDomain(api, key, 'hidden.example');
    const limited = await api.key(partner, { domains: [domain] });
    expect((await read(limited)).domain).toBe(domain);
    const rival = await api.key('rival');
    expect(await read(rival, `?partner_ref=${partner}`)).toEqual(await read(rival));
    expect(await read(MASTER, '?partner_ref=nobody')).toMatchObject({ domain: null, mailbox: null });
    const manage = await world.enter(await world.create(key, { domain: other, scope: 'manage' }));
    expect((await manage.send('get', '/me/first-steps')).body).toMatchObject({ domain: other });
    const dns = await world.enter(await world.create(key, { domain: other, scope: 'dns' }));
    expect((await dns.send('get', '/me/first-steps')).status).toBe(403);
    await api.as(POLICY).get('/me/first-steps').expect(403);
  });
});

describe('of an operator who began with a domain of no partner', () => {
  it('do not ask for a partner', async () => {
    const api = await startTestApi('sqlite');
    try {
      await api.as(MASTER).post('/domains/', { name: 'own.example' }).expect(201);
      const { body } = await api.as(MASTER).get('/me/first-steps').expect(200);
      expect(body).toMatchObject({
        steps: [
          { step: 'domain', done: true },
          { step: 'dns', done: false },
          { step: 'mailbox', done: false },
          { step: 'message', done: false },
        ],
        domain: 'own.example',
      });
    } finally {
      await api.close();
    }
  });
});
