import { describeSentinels, RedisSentinels } from '@mailstead/adapters/bullmq/testing/redis-sentinels';
import { until } from '@mailstead/core/testing/until';
import { type RunningMariadb, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { ChildService } from '../testing/child-service.js';

describeSentinels('with TLS and passwords to Redis and to its sentinels', () => {
  let services: RunningMariadb & Stoppable;
  let sentinels: RedisSentinels;
  let children: ChildService[];
  let count = 0;

  beforeAll(async () => {
    children = [];
    services = await startServices({ mariadb: true });
    sentinels = await RedisSentinels.start(3, true);
  });
  afterEach(() => Promise.all(children.splice(0).map((each) => each.end('SIGKILL'))));
  afterAll(async () => {
    await sentinels?.stop();
    await services?.stop();
  });

  const start = async (app: 'api' | 'worker', redisUrl: string, authority: string) => {
    const child = await ChildService.spawn(app, {
      DATABASE_URL: services.mariadbUrl,
      REDIS_URL: redisUrl,
      NODE_EXTRA_CA_CERTS: authority,
      SANDBOX_VERIFY_AFTER: '0',
    });
    children.push(child);
    return child;
  };
  /** Creates a domain and waits until its job verified it. */
  async function verify(api: ChildService): Promise<void> {
    count += 1;
    const name = `encrypted-${count}.example`;
    expect((await api.call('POST', '/domains/', { name })).status).toBe(201);
    await until(`${name} to be verified`, async () => {
      return (await api.call('GET', `/domains/${name}`)).body.verification_status === 'verified';
    });
  }

  it('the queue works, also after a switch and with a sentinel that is away', async () => {
    const api = await start('api', sentinels.url, sentinels.authority);
    const worker = await start('worker', sentinels.url, sentinels.authority);
    await worker.said('working');
    await until('readiness', async () => (await api.readyAnew()) === 200);
    await verify(api);
    const former = await sentinels.primary();
    await sentinels.sentinels[0]?.server.kill();
    await sentinels.sentinels[1]?.ask('SENTINEL', 'failover', 'mailstead-test');
    await until('another primary', async () => (await sentinels.primary()) !== former);
    await until('readiness', async () => (await api.readyAnew()) === 200);
    await verify(api);
    // Lines of the log are JSON, and nothing else is written.
    for (const { output } of [api, worker])
      expect(output.split('\n').filter((line) => !/^(\{.*\}|)$/.test(line))).toEqual([]);
  });

  it.each([
    ['the authority is not known', () => [sentinels.url, ''] as const],
    [
      'the password of the sentinels is wrong',
      () => [sentinels.url.replace('e%26f', 'x'), sentinels.authority] as const,
    ],
    ['the password of Redis is wrong', () => [sentinels.url.replace('a%2Fb', 'x'), sentinels.authority] as const],
  ])('/health/ready is 503 (queue) when %s', async (_, given) => {
    const api = await start('api', ...given());
    await until('the check that fails', async () => {
      const { status, body } = await api.call('GET', '/health/ready');
      const checks = body.checks as { name: string; status: string }[];
      return status === 503 && checks.some((check) => check.name === 'queue' && check.status === 'unavailable');
    });
  });
});
