import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisSentinels } from '@mailstead/adapters/bullmq/testing/redis-sentinels';
import { GaleraCluster } from '@mailstead/adapters/database/testing/galera-cluster';
import { until } from '@mailstead/core/testing/until';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { freePort } from '../../../../../scripts/free-port.mjs';
import { ROOT } from '../../../../../scripts/processes.mjs';
import { Server } from '../../../../../scripts/server.mjs';
import { PATIENCE_MS } from '../../../../../scripts/test-timeout.mjs';
import { startHaproxy } from './haproxy.js';
import { HealthCheck } from './health-checks.js';
import { type Kind, Part } from './part.js';

export const MASTER = 'master-token-of-the-cluster-0123456789';
const POLICY = 'policy-token-of-the-cluster-0123456789';
const METRICS = 'metrics-token-of-the-cluster-0123456789';
const [APIS, WORKERS, POLICYDS, NODES] = [3, 2, 2, 3];
const PAUSE_MS = 200;

export interface Daemon {
  server: Server;
  policyPort: number;
  milterPort: number;
}

/** Three databases behind HAProxy, three Redis with sentinels, three APIs, two workers and two policy daemons. */
export class WholeCluster {
  readonly apis: Server[] = [];
  readonly policyds: Daemon[] = [];
  private readonly workers: Server[] = [];
  private readonly checks: HealthCheck[] = [];
  private databases?: GaleraCluster;
  private sentinels?: RedisSentinels;
  private haproxy: Server | null = null;
  private lastApi = 0;

  private constructor(private readonly folder: string) {}

  /** @param folder for data and logs of all processes but the servers of database and Redis */
  static async start(folder: string, say: (line: string) => void): Promise<WholeCluster> {
    const cluster = new WholeCluster(folder);
    try {
      await cluster.startAll(say);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** The addresses of the APIs for a caller; each caller starts at another one. */
  addresses(caller: number, count = APIS): string {
    const urls = this.apis.slice(0, count).map(urlOf);
    return [...urls.slice(caller % count), ...urls.slice(0, caller % count)].join(',');
  }

  /** The process that the next fault of this kind hits. The roles of databases and Redis move. */
  async part(kind: Kind): Promise<Part> {
    const nodes = this.databases?.nodes ?? [];
    if (kind === 'written database node' || kind === 'other database node') {
      const written = await this.writtenNode();
      const isChosen = ({ name }: { name: string }) => (name === written) === (kind === 'written database node');
      const node = nodes.find(isChosen);
      if (node === undefined) throw new Error(`No ${kind}`);
      return new Part(`database ${node.name}`, node.server, () => this.isSynced(node.name));
    }
    if (kind === 'Redis primary') {
      const node = await this.sentinels?.primary();
      if (node === undefined) throw new Error('No primary');
      return new Part(
        `Redis on port ${node.server.port}`,
        node.server,
        async () => (await node.ask('PING')) === 'PONG',
      );
    }
    if (kind === 'sentinel') {
      const node = this.sentinels?.sentinels[0];
      if (node === undefined) throw new Error('No sentinel');
      return new Part('sentinel 1', node.server, async () => (await node.ask('PING')) === 'PONG');
    }
    if (kind === 'API') {
      this.lastApi += 1;
      const at = this.lastApi % APIS;
      return partOf(`API ${at + 1}`, this.apis[at]);
    }
    if (kind === 'worker') return partOf('worker 1', this.workers[0]);
    if (kind === 'policy daemon') return partOf('policy daemon 1', this.policyds[0]?.server);
    const { haproxy } = this;
    if (haproxy === null) throw new Error('No HAProxy');
    return new Part('HAProxy', haproxy, async () => (await this.query('SELECT 1 AS one')).length === 1);
  }

  /** Waits until every API says that it is ready. */
  async ready(): Promise<void> {
    for (const api of this.apis) {
      await until(`${api.port} to be ready`, () => answers(`${urlOf(api)}/health/ready`));
    }
  }

  /** Reads from the written database node, through HAProxy. While no node is written, it waits. */
  async query<Row = RowDataPacket>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    const begun = performance.now();
    for (;;) {
      try {
        return await this.queryOnce<Row>(text, parameters);
      } catch (error) {
        if (performance.now() - begun > PATIENCE_MS) throw error;
        await delay(PAUSE_MS);
      }
    }
  }

  private async queryOnce<Row>(text: string, parameters: unknown[]): Promise<Row[]> {
    const connection = await createConnection({ uri: this.databaseUrl, connectTimeout: 5_000 });
    try {
      const [rows] = await connection.query(text, parameters);
      return rows as Row[];
    } finally {
      connection.destroy();
    }
  }

  async stop(): Promise<void> {
    const servers = [...this.apis, ...this.workers, ...this.policyds.map(({ server }) => server), this.haproxy];
    await Promise.all(servers.map(async (server) => await server?.kill()));
    for (const check of this.checks) check.stop();
    await this.sentinels?.stop();
    await this.databases?.stop();
  }

  private get databaseUrl(): string {
    const url = new URL(this.databases?.node(0).url ?? '');
    url.port = String(this.haproxy?.port);
    return url.toString();
  }

  private async startAll(say: (line: string) => void): Promise<void> {
    this.databases = await GaleraCluster.start(NODES);
    const nodes = [];
    for (const node of this.databases.nodes) {
      const check = await HealthCheck.start(node.url);
      this.checks.push(check);
      nodes.push({ port: node.server.port, checkPort: check.port });
    }
    this.haproxy = await startHaproxy(this.folder, nodes);
    say(`${NODES} MariaDB servers (Galera) run behind HAProxy`);
    this.sentinels = await RedisSentinels.start();
    say('3 Redis servers and 3 sentinels run');
    for (let index = 0; index < APIS; index += 1) this.apis.push(await this.api(index));
    // All at once, as after a power failure: one migrates, the others wait.
    await Promise.all(this.apis.map((api) => api.start()));
    for (let index = 0; index < WORKERS; index += 1) this.workers.push(await this.worker(index));
    for (let index = 0; index < POLICYDS; index += 1) this.policyds.push(await this.policyd(index));
    await Promise.all([...this.workers, ...this.policyds.map(({ server }) => server)].map((each) => each.start()));
    await this.ready();
    say(`${APIS} APIs, ${WORKERS} workers and ${POLICYDS} policy daemons run`);
  }

  private get settings(): Record<string, string> {
    return {
      DATABASE_URL: this.databaseUrl,
      REDIS_URL: this.sentinels?.url ?? '',
      MASTER_TOKEN: MASTER,
      OPERATOR_TOKENS: `policyd:policy:${POLICY}`,
      SECRET_KEY: MASTER,
      METRICS_TOKEN: METRICS,
      SANDBOX_VERIFY_AFTER: '0',
      RATE_LIMIT: '0',
    };
  }

  private async api(index: number): Promise<Server> {
    const port = await freePort();
    return this.program(`api-${index + 1}`, 'api', port, { ...this.settings, PORT: String(port) });
  }

  private async worker(index: number): Promise<Server> {
    const port = await freePort();
    return this.program(`worker-${index + 1}`, 'worker', port, { ...this.settings, WORKER_PORT: String(port) });
  }

  private async policyd(index: number): Promise<Daemon> {
    const [port, policyPort, milterPort] = [await freePort(), await freePort(), await freePort()];
    const name = `policyd-${index + 1}`;
    await mkdir(join(this.folder, name));
    const server = this.program(name, 'policyd', port, {
      MAILSTEAD_URL: this.addresses(index),
      POLICY_TOKEN: POLICY,
      POLICY_LISTEN: `127.0.0.1:${policyPort}`,
      MILTER_LISTEN: `127.0.0.1:${milterPort}`,
      LOGINS_LISTEN: 'off',
      METRICS_LISTEN: `127.0.0.1:${port}`,
      POLICY_MTA: `mx-${index + 1}`,
      POLICYD_DATA_DIR: join(this.folder, name),
    });
    return { server, policyPort, milterPort };
  }

  private program(name: string, app: string, port: number, env: Record<string, string>): Server {
    const args = [join(ROOT, `apps/${app}/dist/main.js`)];
    const isReady = (own: number) => answers(`http://127.0.0.1:${own}/health`);
    return new Server({
      name,
      command: process.execPath,
      args,
      env,
      port,
      isReady,
      logFile: join(this.folder, `${name}.log`),
    });
  }

  private async writtenNode(): Promise<string> {
    const [row] = await this.query<{ name: string }>('SELECT @@wsrep_node_name AS name');
    return row?.name ?? '';
  }

  private async isSynced(name: string): Promise<boolean> {
    const node = this.databases?.nodes.find((each) => each.name === name);
    const [row] = (await node?.sql<{ Value: string }>("SHOW STATUS LIKE 'wsrep_local_state_comment'")) ?? [];
    return row?.Value === 'Synced';
  }
}

function partOf(name: string, server: Server | undefined): Part {
  if (server === undefined) throw new Error(`No ${name}`);
  return new Part(name, server, () => answers(`http://127.0.0.1:${server.port}/health`));
}

function urlOf({ port }: { port: number }): string {
  return `http://127.0.0.1:${port}`;
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  return response?.ok === true;
}
