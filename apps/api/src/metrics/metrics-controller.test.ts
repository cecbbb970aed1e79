import supertest from 'supertest';
import { MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

const METRICS_TOKEN = 'metrics-token-of-the-tests-0123456789';

describe('the metrics', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi('sqlite', { METRICS_TOKEN });
  });
  afterAll(() => api.close());

  const metrics = async () => (await api.as(METRICS_TOKEN).get('/metrics').expect(200)).text;

  it('are readable only by master, the read scope and METRICS_TOKEN', async () => {
    const acme = await api.key('acme');
    for (const token of [MASTER, READ, METRICS_TOKEN]) await api.as(token).get('/metrics').expect(200);
    await supertest(api.url).get('/metrics').expect(401);
    await api.as(`${METRICS_TOKEN}x`).get('/metrics').expect(401);
    await api.as(POLICY).get('/metrics').expect(403);
    await api.as(acme).get('/metrics').expect(403);
    await api.as(METRICS_TOKEN).get('/domains/').expect(401);
  });

  it('count requests by route and status, increments by verdict, and batches by size', async () => {
    await api.as(MASTER).post('/domains/', { name: 'count.example' }).expect(201);
    const items = [{ domain: 'count.example' }, { domain: 'count.example' }, { domain: 'absent.example' }];
    await api.as(POLICY).post('/outbound/increments', { items }).expect(200);
    const text = await metrics();
    expect(text).toContain('mailstead_requests_total{method="POST",route="/outbound/increments",status="200"} 1');
    expect(text).toContain('mailstead_increments_total{action="reject",reason="not_verified"} 2');
    expect(text).toContain('mailstead_increments_total{action="reject",reason="domain_not_found"} 1');
    expect(text).toContain('mailstead_batch_items_count{batch="increments"} 1');
    expect(text).toContain('mailstead_batch_items_sum{batch="increments"} 3');
  });

  it('count refusals from 0 on: Prometheus sees no increase in a series that begins at 1', async () => {
    expect(await metrics()).toContain('mailstead_requests_refused_total{code="too_many_wrong_tokens"} 0');
  });

  it('contain no partner, domain, address or token', async () => {
    expect((await metrics()).replaceAll('"too_many_wrong_tokens"', '')).not.toMatch(/count\.example|acme|token/);
  });
});
