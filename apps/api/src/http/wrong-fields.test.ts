import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

/** Bodies and queries with a field of the wrong type beside others whose texts are wrong, and all of those. */
const REQUESTS: [method: 'get' | 'post' | 'put', path: string, body: object | undefined, wrong: string[]][] = [
  [
    'post',
    '/domains/',
    { name: 'no domain', partner_ref: '..', external_ref: ' x ', size: 1 },
    ['external_ref', 'name', 'partner_ref', 'size'],
  ],
  [
    'post',
    '/users/',
    { email: 'nobody', password: 'short', quota_mb: 'much', external_ref: 'x ' },
    ['email', 'external_ref', 'password', 'quota_mb'],
  ],
  ['post', '/users/', { email: 'nobody', password_hash: '{PLAIN}secret', name: 5 }, ['email', 'name', 'password_hash']],
  ['put', '/users/info@example.com', { password: 'short', active: 'yes' }, ['active', 'password']],
  [
    'post',
    '/aliases/',
    { address: 'nobody', destination: 'nowhere', catch_all: true },
    ['address', 'catch_all', 'destination'],
  ],
  [
    'post',
    '/api-keys/',
    { token: 'short', partner_ref: '.', domains: ['example.com', 'no domain'], domains_allowed: -1 },
    ['domains', 'domains_allowed', 'partner_ref', 'token'],
  ],
  ['put', '/domains/example.com/front-hosts', { hosts: ['no host'], said_at: null }, ['hosts', 'said_at']],
  ['post', '/portal-links/', { domain: 'no domain', scope: 'all' }, ['domain', 'scope']],
  [
    'post',
    '/suppressions/',
    { address: 'nobody', domain: 'no domain', partner_ref: '..', note: 5 },
    ['address', 'domain', 'note', 'partner_ref'],
  ],
  [
    'put',
    '/partners/acme/brand',
    {
      name: ' Acme',
      colour: 'blue',
      support_email: 'nobody',
      support_url: 'http://acme.example',
      logo: { type: 'image/gif', data: '!' },
    },
    ['colour', 'logo.data', 'logo.type', 'name', 'support_email', 'support_url'],
  ],
  ['put', '/partners/acme', { external_ref: 'x ', name: 5 }, ['external_ref', 'name']],
  [
    'put',
    '/domains/example.com/plan',
    { plan: 'none', billing_ref: 'sub 1', replaces: 'sub 0' },
    ['billing_ref', 'plan', 'replaces'],
  ],
  [
    'get',
    '/domains/?q=%20&parent=x&external_ref=x%20&state=up&limit=0&partner_ref=%2f',
    undefined,
    ['external_ref', 'limit', 'parent', 'partner_ref', 'q', 'state'],
  ],
  ['get', '/users/?q=%20&domain=x&external_ref=%20x&limit=0', undefined, ['domain', 'external_ref', 'limit', 'q']],
  [
    'get',
    '/aliases/?q=%20&domain=x&address=x&destination=x&order=up',
    undefined,
    ['address', 'destination', 'domain', 'order', 'q'],
  ],
  ['get', '/audit?action=X&actor=%20&domain=x&since=x', undefined, ['action', 'actor', 'domain', 'since']],
  ['get', '/events?types=x&domain=x&limit=0', undefined, ['domain', 'limit', 'types']],
  ['get', '/usage?month=x&day=x&year=x', undefined, ['day', 'month', 'year']],
  ['get', '/messages?domain=x&after=x&limit=0', undefined, ['after', 'domain', 'limit']],
];

describe('a request with several wrong fields', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    await api.as(MASTER).post('/domains/', { name: 'example.com', partner_ref: 'acme' });
  });

  afterAll(() => api.close());

  it.each(REQUESTS)('is told all of them: %s %s %j', async (method, path, body, wrong) => {
    const answer = await api.as(MASTER)[method](path, body);
    expect(answer.status).toBe(422);
    const { errors } = answer.body as { errors: { field: string }[] };
    expect(errors.map(({ field }) => field).toSorted()).toEqual(wrong);
  });
});
