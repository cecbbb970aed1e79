import { DAY_MS } from '@mailstead/core/clock';
import { SCHEDULE_NAMES } from '@mailstead/core/jobs/schedules';
import { createConnection } from 'mysql2/promise';
import { freePort } from '../../../../scripts/free-port.mjs';
import { type Services, startServices } from '../../../../scripts/services.mjs';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { CHILD_MASTER, ChildService } from '../testing/child-service.js';
import { ChildServices } from '../testing/child-services.js';
import { clockAhead, preload } from '../testing/preload.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const WAITS = 'jobs and schedules wait: the clock is wrong';

const readinessOf = async (url: string) => {
  const response = await fetch(`${url}/health/ready`, { headers: { Authorization: `Bearer ${CHILD_MASTER}` } });
  return {
    status: response.status,
    body: (await response.json()) as { warnings: { name: string }[]; checks: object[] },
  };
};

describe('a worker whose clock is nine days ahead of MariaDB', () => {
  let services: Services;
  let environment: Record<string, string>;
  let api: ChildService;
  let worker: ChildService | null = null;

  beforeAll(async () => {
    services = await startServices({ mariadb: true, redis: true });
    environment = {
      DATABASE_URL: services.mariadbUrl,
      REDIS_URL: services.redisUrl,
      METRICS_TOKEN: CHILD_MASTER,
    };
    api = await ChildService.start(environment);
  });
  afterAll(async () => {
    await worker?.end('SIGKILL');
    await api.end('SIGKILL');
    await services.stop();
  });

  async function sql(text: string, parameters: unknown[] = []): Promise<Record<string, unknown>[]> {
    const connection = await createConnection({ uri: services.mariadbUrl, connectTimeout: PATIENCE_MS });
    try {
      return (await connection.query(text, parameters))[0] as Record<string, unknown>[];
    } finally {
      await connection.end();
    }
  }
  /** Replaces the worker by one with this clock. */
  async function startWorker(aheadMs: number): Promise<{ url: string }> {
    await worker?.end('SIGKILL');
    const port = String(await freePort());
    worker = await ChildService.spawn('worker', { ...environment, WORKER_PORT: port, ...preload(clockAhead(aheadMs)) });
    await api.until(async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok);
    return { url: `http://127.0.0.1:${port}` };
  }
  const runs = () => sql("SELECT name, period, outcome FROM job_run WHERE period > '2021' AND period < 'manual'");
  const claimed = () =>
    sql('SELECT id, attempts, leased_by FROM job WHERE attempts > 0 OR leased_by IS NOT NULL ORDER BY id');
  const kept = () =>
    sql(`SELECT (SELECT COUNT(*) FROM portal_session) AS sessions, (SELECT COUNT(*) FROM usage_day) AS days,
                (SELECT GROUP_CONCAT(password_hash) FROM deleted_mailbox) AS hashes`);

  it('runs nothing, and the work is done in the present periods when a worker with the right clock runs', async () => {
    await startWorker(0);
    await api.until(async () => (await runs()).length === SCHEDULE_NAMES.length);
    for (const name of ['gone.example', 'stays.example']) {
      await api.call('POST', '/domains/', { name });
      await api.call('POST', '/users/', { email: `a@${name}`, password_hash: HASH });
    }
    await worker?.end('SIGKILL');
    await api.call('DELETE', '/domains/gone.example');
    await api.call('POST', '/domains/', { name: 'waits.example' });
    await api.call('POST', '/jobs/housekeeping/run');
    await sql(
      "INSERT INTO portal_session (token_hash, operator_hash, created_at, last_used_at, expires_at) VALUES ('s', 'o', 0, 0, ?)",
      [Date.now() + DAY_MS],
    );
    // As if no process had run since 2020: every schedule missed its newest period.
    await sql("UPDATE job_run SET period = '2020-01-01T00', outcome = 'done'");
    const before = await kept();
    // The worker that was killed may hold a job.
    const heldBefore = await claimed();
    expect(before).toEqual([{ sessions: 1, days: 1, hashes: HASH }]);

    const { url } = await startWorker(9 * DAY_MS);
    await api.until(async () => worker?.output.includes(WAITS) === true);
    expect(await readinessOf(url)).toMatchObject({ status: 503 });
    const metrics = await fetch(`${url}/metrics`, {
      headers: { Authorization: `Bearer ${environment.METRICS_TOKEN}` },
    });
    expect(await metrics.text()).toContain('mailstead_clock_wrong 1');
    expect([await runs(), await kept()]).toEqual([[], before]);
    expect(await claimed()).toEqual(heldBefore);

    await startWorker(0);
    await api.until(
      async () => (await runs()).filter(({ outcome }) => outcome === 'done').length === SCHEDULE_NAMES.length,
    );
    await api.until(
      async () => (await api.call('GET', '/domains/waits.example')).body.verification_status === 'verified',
    );
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
    expect((await runs()).filter(({ period }) => String(period) >= tomorrow)).toEqual([]);
    expect(await kept()).toEqual(before);
  });
});

describe('a service on the embedded database whose clock is a day behind its last write', () => {
  const children = new ChildServices();
  afterAll(() => children.end());

  it('serves requests and warns, and runs the jobs when it is started with the right clock', async () => {
    const environment = await children.environment('sqlite');
    const first = await children.start(environment);
    await first.call('POST', '/domains/', { name: 'first.example' });
    const isVerified = async (service: ChildService, name: string) =>
      (await service.call('GET', `/domains/${name}`)).body.verification_status === 'verified';
    await first.until(() => isVerified(first, 'first.example'));
    await first.end('SIGTERM');

    const behind = await children.start({ ...environment, ...preload(clockAhead(-DAY_MS)) });
    await behind.until(async () => behind.output.includes(WAITS));
    const { status, body } = await readinessOf(behind.url);
    expect([status, body.warnings.map(({ name }) => name)]).toEqual([200, expect.arrayContaining(['clock'])]);
    expect((await behind.call('POST', '/domains/', { name: 'second.example' })).status).toBe(201);
    await behind.end('SIGTERM');

    const right = await children.start(environment);
    await right.until(() => isVerified(right, 'second.example'));
    expect((await readinessOf(right.url)).body.warnings).toEqual([]);
  });
});
