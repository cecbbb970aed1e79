import { HealthCheck, ShutdownCheck, type Warning } from '@mailstead/core/health-check';
import supertest from 'supertest';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { HealthChecks } from './health-checks.js';

const METRICS_TOKEN = 'metrics-token-of-the-tests-0123456789';
const QUOTA = { name: 'relay_quota', detail: '45,000 of 50,000 messages are used' };

/** Warns of something that only the operator may know, and counts how often it was asked. */
class CountedCheck extends HealthCheck {
  override readonly name = QUOTA.name;
  override readonly isWarning = true;
  asked = 0;

  override async problem(): Promise<string | null> {
    return QUOTA.detail;
  }

  override async problems(): Promise<Warning[]> {
    this.asked += 1;
    return super.problems();
  }
}

describe('the readiness', () => {
  let api: TestApi;
  let key: string;
  let counted: CountedCheck;

  beforeAll(async () => {
    api = await startTestApi('sqlite', { METRICS_TOKEN });
    counted = new CountedCheck();
    api.container.get(HealthChecks).all.push(counted);
    key = await api.key('acme');
  });
  beforeEach(() => {
    counted.asked = 0;
    // No shared result yet, and one that never ages, so that the time that the test takes decides nothing.
    api.container.get(HealthChecks).maxAgeMs = Number.POSITIVE_INFINITY;
  });
  afterAll(() => api.close());

  const plain = () => supertest(api.url).get('/health/ready');
  const short = { status: 'ok', version: expect.any(String) };
  const whole = { ...short, checks: expect.arrayContaining([expect.anything()]), warnings: [QUOTA] };
  /** Opens a session and returns its cookie. */
  const cookieOf = async (token: string): Promise<string> => {
    const { headers } = await api.as(token).post('/sessions').expect(201);
    return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  };

  it('is the status alone without a token', async () => {
    expect((await plain().expect(200)).body).toEqual(short);
    for (const header of ['Basic YTpi', 'Bearer', '']) {
      expect((await plain().set('Authorization', header).expect(200)).body).toEqual(short);
    }
  });

  it('is told whole to master, to the scope read and to METRICS_TOKEN', async () => {
    for (const token of [MASTER, READ, METRICS_TOKEN]) {
      expect((await api.as(token).get('/health/ready').expect(200)).body).toEqual(whole);
    }
    expect(
      (
        await plain()
          .set('Cookie', await cookieOf(MASTER))
          .expect(200)
      ).body,
    ).toEqual(whole);
  });

  it('is the status alone for every other caller', async () => {
    for (const token of [key, POLICY, BILLING]) {
      expect((await api.as(token).get('/health/ready').expect(200)).body).toEqual(short);
    }
    expect(
      (
        await plain()
          .set('Cookie', await cookieOf(key))
          .expect(200)
      ).body,
    ).toEqual(short);
  });

  it('is 401 with a wrong token', async () => {
    for (const token of [`${MASTER}x`, 'wrong', '%']) await api.as(token).get('/health/ready').expect(401);
  });

  it('is the status alone with the cookie of a session that has ended, or from another site', async () => {
    const cookie = await cookieOf(MASTER);
    expect((await plain().set('Cookie', cookie).set('Origin', 'https://else.example').expect(200)).body).toEqual(short);
    await supertest(api.url).get('/sessions/current').set('Cookie', cookie).expect(200);
    api.clock.advance(365 * 86_400_000);
    expect((await plain().set('Cookie', cookie).expect(200)).body).toEqual(short);
  });

  it('asks the checks once for all who ask, whoever they are', async () => {
    const asks = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? plain() : api.as(MASTER).get('/health/ready'),
    );
    expect((await Promise.all(asks)).map(({ status }) => status)).toEqual(asks.map(() => 200));
    expect(counted.asked).toBe(1);
  });

  // The last test, because the process goes on to stop.
  it('is 503 at once when the process begins to stop, with the reason for those who are told', async () => {
    await plain().expect(200);
    api.container.get(ShutdownCheck).begin();
    const { body, headers } = await plain().expect(503);
    expect([body, headers['retry-after']]).toEqual([{ ...short, status: 'unavailable' }, '5']);
    expect((await api.as(MASTER).get('/health/ready').expect(503)).body.checks).toContainEqual({
      name: 'shutdown',
      status: 'unavailable',
      detail: 'The process is stopping',
    });
    expect(counted.asked).toBe(1);
  });
});
