import { describeGalera, GaleraCluster } from '@mailstead/adapters/database/testing/galera-cluster';
import { TcpBalancer } from '@mailstead/core/testing/tcp-balancer';
import { until } from '@mailstead/core/testing/until';
import { ChildService } from '../testing/child-service.js';

describeGalera('on a Galera cluster', () => {
  let cluster: GaleraCluster;
  let balancer: TcpBalancer;
  let apis: ChildService[] = [];

  beforeEach(async () => {
    cluster = await GaleraCluster.start(3);
    balancer = await TcpBalancer.start(
      cluster.nodes.map(({ server }) => server.port),
      'backup',
    );
  });
  afterEach(async () => {
    await Promise.all(apis.splice(0).map((api) => api.end('SIGKILL')));
    await balancer.stop();
    await cluster.stop();
  });

  const start = (urls: string[]) =>
    Promise.all(
      urls.map(async (url) => {
        const api = await ChildService.start({ DATABASE_URL: url });
        apis.push(api);
        return api;
      }),
    );

  it('three APIs that start at once on three nodes of an empty cluster all serve', async () => {
    const started = await start(cluster.nodes.map(({ url }) => url));
    for (const api of started) expect((await api.call('GET', '/partners/')).status).toBe(200);
    const steps = await cluster.node(0).sql<{ count: number }>('SELECT COUNT(DISTINCT name) AS count FROM migration');
    const rows = await cluster.node(2).caughtUp<{ count: number }>('SELECT COUNT(*) AS count FROM migration');
    expect(rows).toEqual(steps);
  });

  const hasFirstTables = async () => {
    const [row] = await cluster
      .node(0)
      .sql<{ count: number }>(
        'SELECT COUNT(*) AS count FROM information_schema.tables WHERE table_schema = DATABASE()',
      );
    return Number(row?.count) > 5;
  };

  it('an API takes over from one that is frozen while it migrates, which migrates nothing twice afterwards', async () => {
    const frozen = await ChildService.spawn('api', { DATABASE_URL: cluster.node(0).url });
    apis.push(frozen);
    await frozen.pauseWhen('the first tables', hasFirstTables);
    const [api] = await start([cluster.node(1).url]);
    expect((await api?.call('GET', '/partners/'))?.status).toBe(200);
    frozen.process.kill('SIGCONT');
    await frozen.until(async () => (await frozen.call('GET', '/partners/')).status === 200);
    const [steps] = await cluster
      .node(2)
      .caughtUp<{ all: number; names: number }>(
        'SELECT COUNT(*) AS `all`, COUNT(DISTINCT name) AS names FROM migration',
      );
    expect(steps?.all).toBe(steps?.names);
  });

  it('an API takes over from a process that was killed while it migrated through another node', async () => {
    const killed = await ChildService.spawn('api', { DATABASE_URL: cluster.node(0).url });
    await until('the first tables', hasFirstTables);
    await killed.end('SIGKILL');
    const [api] = await start([cluster.node(1).url]);
    expect((await api?.call('GET', '/partners/'))?.status).toBe(200);
  });

  it('a revoked key is refused at once by every API, also by a node that takes over and lags', async () => {
    const url = balancer.urlOf(cluster.node(0).url);
    const started = await start([url, url, url]);
    const [first] = started;
    if (first === undefined) throw new Error('No API was started');
    const [direct, switched] = ['key-revoked-before-the-switch-0123456789', 'key-revoked-at-the-switch-0123456789'];
    for (const token of [direct, switched]) {
      expect((await first.call('POST', '/api-keys/', { token, partner_ref: 'acme' })).status).toBe(201);
    }
    const ask = (token: string) =>
      Promise.all(started.map(async (api) => (await api.call('GET', '/domains/', undefined, token)).status));
    expect([await ask(direct), await ask(switched)]).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ]);
    expect((await first.call('DELETE', `/api-keys/${direct}`)).status).toBe(204);
    expect(await ask(direct)).toEqual([401, 401, 401]);
    // The next written node receives changes and does not apply them until it is unlocked.
    const unlock = await cluster.node(1).stopApplying();
    expect((await first.call('DELETE', `/api-keys/${switched}`)).status).toBe(204);
    expect(await cluster.node(1).sql('SELECT 1 FROM api_key')).toHaveLength(1);
    await cluster.node(0).kill();
    // The second node answers reads of what it has applied, so an API that does not wait for it would accept the key.
    for (let round = 0; round < 3; round += 1) for (const status of await ask(switched)) expect(status).toBe(503);
    expect(await cluster.node(1).sql('SELECT 1 FROM api_key')).toHaveLength(1);
    await unlock();
    await until('every API to refuse the key', async () => (await ask(switched)).every((status) => status === 401));
  });
});
