import { describeSentinels, RedisSentinels } from '@mailstead/adapters/bullmq/testing/redis-sentinels';
import { until } from '@mailstead/core/testing/until';
import { type RunningMariadb, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { ChildService } from '../testing/child-service.js';

describeSentinels('the jobs of the service', () => {
  let services: RunningMariadb & Stoppable;
  let sentinels: RedisSentinels;
  let api: ChildService;
  let worker: ChildService;
  let count = 0;
  let calmMs: number;

  beforeAll(async () => {
    services = await startServices({ mariadb: true });
    sentinels = await RedisSentinels.start();
    const environment = {
      DATABASE_URL: services.mariadbUrl,
      REDIS_URL: sentinels.url,
      SANDBOX_VERIFY_AFTER: '0',
    };
    api = await ChildService.start(environment);
    worker = await ChildService.spawn('worker', environment);
    await worker.said('working');
    await until('both to be ready', async () => (await ready()).status === 200);
    calmMs = await verify();
  });
  afterAll(async () => {
    await Promise.all([api, worker].map((each) => each?.end('SIGKILL')));
    await sentinels?.stop();
    await services?.stop();
  });

  /** A job starts within 5 s. The rest is for the request and the job, which take longer on a slow machine. */
  const withinMs = () => 5_000 + 10 * calmMs;
  const ready = () => api.call('GET', '/health/ready');
  const warnings = async () => ((await ready()).body.warnings as { name: string }[]).map(({ name }) => name);
  /** Creates a domain and waits until its job verified it. @returns how long this took */
  async function verify(): Promise<number> {
    count += 1;
    const name = `switch-${count}.example`;
    const begun = performance.now();
    expect((await api.call('POST', '/domains/', { name })).status).toBe(201);
    await until(`${name} to be verified`, async () => {
      return (await api.call('GET', `/domains/${name}`)).body.verification_status === 'verified';
    });
    return performance.now() - begun;
  }

  it('start in time while the primary is full, and /health/ready is 200 with the warning queue', async () => {
    const primary = await sentinels.primary();
    await primary.ask('CONFIG', 'SET', 'maxmemory', '1');
    await until('the warning', async () => (await warnings()).includes('queue'));
    expect((await ready()).status).toBe(200);
    expect(await verify()).toBeLessThan(withinMs());
    expect(await verify()).toBeLessThan(withinMs());
    await primary.ask('CONFIG', 'SET', 'maxmemory', '0');
    await until('no warning', async () => !(await warnings()).includes('queue'));
  });

  it('start in time when the sentinels switch to another primary, and the former one refuses writes', async () => {
    const former = await sentinels.primary();
    await sentinels.sentinels[0]?.ask('SENTINEL', 'failover', 'mailstead-test');
    expect(await verify()).toBeLessThan(withinMs());
    await until('another primary', async () => (await sentinels.primary()) !== former);
    expect(await verify()).toBeLessThan(withinMs());
    await until('readiness', async () => (await ready()).status === 200 && !(await warnings()).includes('queue'));
  });

  it('start in time while the primary is killed or frozen, and after the sentinels chose another', async () => {
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) {
      const former = await sentinels.primary();
      process.kill(former.server.pid ?? 0, signal);
      expect(await verify()).toBeLessThan(withinMs());
      await until('another primary', async () => (await sentinels.primary()) !== former);
      await until('readiness', async () => (await ready()).status === 200 && !(await warnings()).includes('queue'));
      expect(await verify()).toBeLessThan(withinMs());
      if (signal === 'SIGSTOP') process.kill(former.server.pid ?? 0, 'SIGCONT');
    }
  });
});
