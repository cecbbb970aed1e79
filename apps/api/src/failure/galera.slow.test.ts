import { describeGalera, GaleraCluster } from '@mailstead/adapters/database/testing/galera-cluster';
import { TcpBalancer } from '@mailstead/core/testing/tcp-balancer';
import { until } from '@mailstead/core/testing/until';
import { type Services, startServices } from '../../../../scripts/services.mjs';
import { ChildService } from '../testing/child-service.js';

const DOMAINS = ['a.example', 'b.example', 'c.example'];
const METRICS_TOKEN = 'metrics-token-of-the-galera-tests-0123456789';
/** Nothing listens on this port, so notifications stay in the outbox. */
const NOWHERE = 'http://127.0.0.1:9/hook';

type Redis = Pick<Services, 'redis' | 'redisUrl' | 'stop'>;

/** Sends increments with unique ids from many clients to both processes, until it is stopped. */
class Load {
  readonly acknowledged = new Set<number>();
  readonly unanswered = new Set<number>();
  readonly statuses = new Set<number>();
  private next = 0;
  private ended = false;
  private clients: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly name: string,
    private readonly apis: readonly ChildService[],
  ) {}

  start(): void {
    this.clients = Promise.all(Array.from({ length: 16 }, () => this.client()));
  }

  /** Waits until this number of further increments was acknowledged. */
  async more(count: number): Promise<void> {
    const goal = this.acknowledged.size + count;
    await until(`${goal} acknowledged increments`, () => this.acknowledged.size >= goal);
  }

  async end(): Promise<void> {
    this.ended = true;
    await this.clients;
  }

  /** Sends every increment without a 200 response again, with the same id. */
  async repeat(): Promise<void> {
    for (const index of this.unanswered) await this.increment(index);
  }

  get size(): number {
    return this.next;
  }

  private async client(): Promise<void> {
    while (!this.ended) await this.increment(this.next++);
  }

  private async increment(index: number): Promise<void> {
    const path = `/domains/${DOMAINS[index % DOMAINS.length]}/outbound/increment`;
    const answer = await this.apis[index % this.apis.length]?.call('POST', path, { id: `${this.name}-${index}` });
    this.statuses.add(answer?.status ?? 0);
    if (answer?.status === 200) {
      this.acknowledged.add(index);
      this.unanswered.delete(index);
    } else {
      this.unanswered.add(index);
    }
  }
}

describeGalera('the service on a Galera cluster', () => {
  let cluster: GaleraCluster;
  let services: Redis;
  let balancer: TcpBalancer;
  let apis: ChildService[] = [];
  let workers: ChildService[] = [];

  const environment = (url: string) => ({
    DATABASE_URL: url,
    // A switch to another node takes longer than a read may.
    DEADLINE_FACTOR: '1',
    SANDBOX_VERIFY_AFTER: '0',
    METRICS_TOKEN,
    NOTIFY_WEBHOOK_URL: NOWHERE,
    NOTIFY_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of the galera tests').toString('base64')}`,
    NOTIFY_ALLOW_PRIVATE: 'true',
  });
  const startApi = async (url: string): Promise<ChildService> => {
    const api = await ChildService.start(environment(url));
    apis.push(api);
    return api;
  };
  const ready = (service: ChildService) => service.call('GET', '/health/ready');
  const counted = async (node: number): Promise<number> => {
    const rows = await cluster
      .node(node)
      .caughtUp<{ sent: string }>('SELECT COALESCE(SUM(sent_month), 0) AS sent FROM outbound_counter');
    return Number(rows[0]?.sent);
  };

  beforeAll(async () => {
    services = await startServices({ redis: true });
    cluster = await GaleraCluster.start(3);
    balancer = await TcpBalancer.start(
      cluster.nodes.map(({ server }) => server.port),
      'backup',
    );
    const api = await startApi(cluster.node(0).url);
    await api.call('PUT', '/outbound/tiers/basic', { daily_limit: 0, monthly_limit: 0 });
    for (const name of DOMAINS) {
      expect((await api.call('POST', '/domains/', { name })).status).toBe(201);
      await until(
        `${name} to be verified`,
        async () => (await api.call('GET', `/domains/${name}/relay-status`)).body.verified === true,
      );
    }
  });
  afterAll(async () => {
    await Promise.all([...apis, ...workers].map((each) => each.end('SIGKILL')));
    await balancer.stop();
    await cluster.stop();
    await services.stop();
  });
  afterEach(async () => {
    await Promise.all([...apis, ...workers].map((each) => each.end('SIGKILL')));
    apis = [];
    workers = [];
  });

  it('counts each acknowledged increment once while nodes other than the written one leave, join and are killed', async () => {
    const [url, before] = [cluster.node(0).url, await counted(0)];
    const load = new Load('beside', [await startApi(url), await startApi(url)]);
    load.start();
    await load.more(300);
    await cluster.node(2).stop();
    await load.more(300);
    await cluster.node(2).start();
    await load.more(300);
    await cluster.node(1).kill();
    await load.more(300);
    await cluster.node(1).start();
    await load.more(300);
    await load.end();
    expect([...load.statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const sum = (await counted(0)) - before;
    expect(sum).toBeGreaterThanOrEqual(load.acknowledged.size);
    expect(sum).toBeLessThanOrEqual(load.size);
    await load.repeat();
    for (const node of [0, 1, 2]) expect((await counted(node)) - before).toBe(load.size);
  });

  it('keeps what was acknowledged when the written node is killed and another becomes it, and responds with 503 meanwhile', async () => {
    const [url, before] = [balancer.urlOf(cluster.node(0).url), await counted(0)];
    const processes = [await startApi(url), await startApi(url)];
    const load = new Load('failover', processes);
    load.start();
    await load.more(500);
    await cluster.node(0).kill();
    await load.more(500);
    await load.end();
    expect([...load.statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(load.statuses).toContain(503);
    const sum = (await counted(1)) - before;
    expect(sum).toBeGreaterThanOrEqual(load.acknowledged.size);
    expect(sum).toBeLessThanOrEqual(load.size);
    await load.repeat();
    expect((await counted(2)) - before).toBe(load.size);
    // A failover does not count as two writers.
    for (const api of processes) await until('the API to be ready', async () => (await ready(api)).status === 200);
    const noted = await cluster
      .node(1)
      .caughtUp<{ name: string }>(
        "SELECT DISTINCT node_name AS name FROM database_writer WHERE process_id IN (SELECT process_id FROM database_writer WHERE node_name = 'n2')",
      );
    expect(noted.map(({ name }) => name).sort()).toEqual(['n1', 'n2']);
    expect(await cluster.node(1).sql("SELECT 1 FROM notification WHERE type = 'database.several_writers'")).toEqual([]);
    // Killed before the first node is back: the balancer would send only new connections to it, so two nodes would get
    // writes.
    await Promise.all(processes.map((api) => api.end('SIGKILL')));
    await cluster.node(0).start();
  });

  it('is not ready in any process while two nodes receive writes, notifies once, and is ready 30 s after one stops', async () => {
    const own = await startApi(cluster.node(0).url);
    const worker = await ChildService.spawn('worker', {
      ...environment(cluster.node(0).url),
      REDIS_URL: services.redisUrl,
      WORKER_PORT: String(Number(new URL(own.url).port) + 1),
    });
    workers.push(worker);
    const workerUrl = `http://127.0.0.1:${Number(new URL(own.url).port) + 1}`;
    await worker.said('working');
    await until('the API to be ready', async () => (await ready(own)).status === 200);
    const other = await startApi(cluster.node(1).url);
    const states = async () => [
      await ready(own),
      await ready(other),
      { status: (await fetch(`${workerUrl}/health/ready`)).status, body: {} },
    ];
    await until('both to be unavailable', async () => (await states()).every(({ status }) => status === 503));
    expect((await ready(own)).body).toMatchObject({
      status: 'unavailable',
      checks: expect.arrayContaining([
        {
          name: 'several_database_writers',
          status: 'unavailable',
          detail: expect.stringMatching(/\(n1, n2\).*send all connections to one node/),
        },
      ]),
    });
    const metrics = async (url: string) =>
      (await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })).text();
    // One process publishes it, so that a sum over the processes is the number of nodes.
    await until('the metric of one process', async () => {
      const texts = await Promise.all([own.url, other.url, workerUrl].map(metrics));
      return texts.filter((text) => text.includes('\nmailstead_database_writer_nodes 2\n')).length === 1;
    });
    const told = () =>
      cluster.node(0).caughtUp("SELECT notification_id FROM notification WHERE type = 'database.several_writers'");
    expect(await told()).toHaveLength(1);
    await other.end('SIGKILL');
    expect((await ready(own)).status).toBe(503);
    await until('the API to be ready', async () => (await ready(own)).status === 200);
    expect(await told()).toHaveLength(1);
    expect((await fetch(`${workerUrl}/health/ready`)).status).toBe(200);
  });
});
