import { chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@mailstead/core/testing/until';
import { Redis } from 'ioredis';
import { freePort } from '../../../../../scripts/free-port.mjs';
import { describeWith, pathOf } from '../../../../../scripts/needed-programs.mjs';
import { Server } from '../../../../../scripts/server.mjs';
import { findServicePrograms, serviceAccount } from '../../../../../scripts/service-programs.mjs';
import { makeFolder } from '../../../../../scripts/services.mjs';

const MASTER_NAME = 'mailstead-test';
/** Sentinels report a primary that is silent for this time. */
const DOWN_AFTER_MS = 1_500;

/** `describe` for tests that need sentinels. */
export const describeSentinels = await describeWith('Redis Sentinel');

/** One Redis server. */
export interface RedisNode {
  readonly server: Server;
  /** Asks the server, over a connection of its own. @throws Error when it does not answer */
  ask(...command: [string, ...string[]]): Promise<unknown>;
}

/** Redis servers, of which the first is the primary at the start, and as many sentinels, on loopback ports. */
export class RedisSentinels {
  private constructor(
    readonly nodes: RedisNode[],
    readonly sentinels: RedisNode[],
    private readonly folder: string,
  ) {}

  static async start(size = 3): Promise<RedisSentinels> {
    const folder = await makeFolder();
    if (process.getuid?.() === 0) {
      const { uid, gid } = await serviceAccount();
      await chown(folder, uid, gid);
    }
    const started = new RedisSentinels([], [], folder);
    try {
      await started.startServers(size);
      await started.startSentinels(size);
      await until('the sentinels to know each other and the replicas', () => started.isComplete(size));
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  /** `REDIS_URL` of the service. */
  get url(): string {
    const hosts = this.sentinels.map(({ server }) => `127.0.0.1:${server.port}`).join(',');
    return `redis+sentinel://${hosts}/${MASTER_NAME}?db=0`;
  }

  /** The primary, as a sentinel that answers sees it. */
  async primary(): Promise<RedisNode> {
    for (const sentinel of this.sentinels) {
      const address = await sentinel.ask('SENTINEL', 'get-master-addr-by-name', MASTER_NAME).catch(() => null);
      const port = Array.isArray(address) ? Number(address[1]) : 0;
      const node = this.nodes.find(({ server }) => server.port === port);
      if (node !== undefined) return node;
    }
    throw new Error('No sentinel names a primary');
  }

  async stop(): Promise<void> {
    await Promise.all([...this.sentinels, ...this.nodes].map(({ server }) => server.kill()));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  private async startServers(size: number): Promise<void> {
    const { redis } = await findServicePrograms(['redis']);
    for (let index = 0; index < size; index += 1) {
      const port = await freePort();
      const primary = this.nodes[0]?.server.port;
      const config = await this.write(`redis-${index}.conf`, [
        `port ${port}`,
        'bind 127.0.0.1',
        `dir ${this.folder}`,
        'save ""',
        'appendonly no',
        `dbfilename redis-${index}.rdb`,
        'repl-diskless-sync-delay 0',
        'maxmemory-policy noeviction',
        ...(primary === undefined ? [] : [`replicaof 127.0.0.1 ${primary}`]),
      ]);
      const node = nodeOf(`redis-${index}`, redis.server, [config], port, this.folder, redis.env);
      this.nodes.push(node);
      await node.server.start();
    }
  }

  private async startSentinels(size: number): Promise<void> {
    const program = pathOf('redis-sentinel') ?? '';
    const primary = this.nodes[0]?.server.port ?? 0;
    for (let index = 0; index < size; index += 1) {
      const port = await freePort();
      const config = await this.write(`sentinel-${index}.conf`, [
        `port ${port}`,
        'bind 127.0.0.1',
        `dir ${this.folder}`,
        `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${primary} ${Math.floor(size / 2) + 1}`,
        `sentinel down-after-milliseconds ${MASTER_NAME} ${DOWN_AFTER_MS}`,
        `sentinel failover-timeout ${MASTER_NAME} 6000`,
        `sentinel parallel-syncs ${MASTER_NAME} ${size}`,
      ]);
      const node = nodeOf(`sentinel-${index}`, program, [config], port, this.folder, {});
      this.sentinels.push(node);
      await node.server.start();
    }
  }

  private async isComplete(size: number): Promise<boolean> {
    const seen = await Promise.all(this.sentinels.map((each) => each.ask('SENTINEL', 'master', MASTER_NAME)));
    return seen.every((fields) => {
      const value = (name: string) => (Array.isArray(fields) ? Number(fields[fields.indexOf(name) + 1]) : 0);
      return value('num-slaves') === size - 1 && value('num-other-sentinels') === size - 1;
    });
  }

  private async write(name: string, lines: string[]): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, `${lines.join('\n')}\n`);
    return path;
  }
}

function nodeOf(
  name: string,
  command: string,
  args: string[],
  port: number,
  folder: string,
  env: Record<string, string | undefined>,
): RedisNode {
  const ask = (...[first, ...rest]: [string, ...string[]]) => askRedis(port, first, rest);
  const isReady = () =>
    ask('PING').then(
      () => true,
      () => false,
    );
  const server = new Server({ name, command, args, env, logFile: join(folder, `${name}.log`), port, isReady });
  return { server, ask };
}

async function askRedis(port: number, command: string, args: string[]): Promise<unknown> {
  const redis = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    retryStrategy: () => null,
    enableReadyCheck: false,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await redis.call(command, ...args);
  } finally {
    redis.disconnect();
  }
}
