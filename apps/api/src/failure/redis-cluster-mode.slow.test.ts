import { type ClusterModeRedis, startClusterModeRedis } from '@mailstead/adapters/bullmq/testing/cluster-mode-redis';
import { until } from '@mailstead/core/testing/until';
import { type RunningMariadb, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { ChildService } from '../testing/child-service.js';

describe('API and worker on a Redis in cluster mode with one shard', () => {
  let services: RunningMariadb & Stoppable;
  let cluster: ClusterModeRedis;
  let api: ChildService;
  let worker: ChildService;

  beforeAll(async () => {
    [services, cluster] = await Promise.all([startServices({ mariadb: true }), startClusterModeRedis()]);
    await cluster.control.set('mailstead:sweep:meta', 'of the former release');
    const environment = {
      DATABASE_URL: services.mariadbUrl,
      REDIS_URL: cluster.redisUrl,
      SANDBOX_VERIFY_AFTER: '0',
      RATE_LIMIT: '100',
    };
    api = await ChildService.start(environment);
    worker = await ChildService.spawn('worker', environment);
    await worker.said('working');
  });
  afterAll(async () => {
    await Promise.all([api, worker].map((each) => each?.end('SIGKILL')));
    await cluster?.stop();
    await services?.stop();
  });

  it('run jobs without a problem, and delete the keys of the former release', async () => {
    await until('readiness without a warning', async () => {
      const { status, body } = await api.call('GET', '/health/ready');
      return status === 200 && !(body.warnings as { name: string }[]).some(({ name }) => name === 'queue');
    });
    expect((await api.call('POST', '/domains/', { name: 'cluster.example' })).status).toBe(201);
    await until('the domain to be verified', async () => {
      return (await api.call('GET', '/domains/cluster.example')).body.verification_status === 'verified';
    });
    await until(
      'no key of the former release',
      async () => (await cluster.control.exists('mailstead:sweep:meta')) === 0,
    );
    expect(api.output + worker.output).not.toContain('a problem of Redis');
  });
});
