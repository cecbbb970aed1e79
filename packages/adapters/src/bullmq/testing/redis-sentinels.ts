import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@mailstead/core/testing/until';
import { Redis, type RedisOptions } from 'ioredis';
import { freePort } from '../../../../../scripts/free-port.mjs';
import { describeWith, pathOf } from '../../../../../scripts/needed-programs.mjs';
import { Server } from '../../../../../scripts/server.mjs';
import { findServicePrograms, serviceAccount } from '../../../../../scripts/service-programs.mjs';
import { makeFolder } from '../../../../../scripts/services.mjs';
import { TestAuthority } from '../../../../../scripts/test-authority.mjs';

const MASTER_NAME = 'mailstead-test';
/** Sentinels report a primary that is silent for this time. */
const DOWN_AFTER_MS = 1_500;
/** With TLS the servers have accounts too, whose passwords must be encoded in the URL. */
const ACCOUNTS = {
  redis: { user: 'mailstead', password: 'a/b@c:d' },
  sentinel: { user: 'watcher', password: 'e&f=g+h' },
  /** Of the servers among themselves, and of the tests. */
  operator: { user: 'operator', password: 'of-the-tests' },
};

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
    private readonly tls: Tls | null,
  ) {}

  /** @param isSecured with TLS to all of them, and with accounts */
  static async start(size = 3, isSecured = false): Promise<RedisSentinels> {
    const folder = await makeFolder();
    if (process.getuid?.() === 0) {
      const { uid, gid } = await serviceAccount();
      await chown(folder, uid, gid);
    }
    const started = new RedisSentinels([], [], folder, isSecured ? await makeTls(folder) : null);
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
    if (this.tls === null) return `redis+sentinel://${hosts}/${MASTER_NAME}?db=0`;
    const [{ user, password }, sentinel] = [ACCOUNTS.redis, ACCOUNTS.sentinel];
    const query = `db=2&sentinel_user=${sentinel.user}&sentinel_password=${encodeURIComponent(sentinel.password)}`;
    return `rediss+sentinel://${user}:${encodeURIComponent(password)}@${hosts}/${MASTER_NAME}?${query}`;
  }

  /** The file of the authority that signed the certificates of the servers. */
  get authority(): string {
    return this.tls?.authority ?? '';
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
        ...this.access(port, ACCOUNTS.redis),
        'bind 127.0.0.1',
        `dir ${this.folder}`,
        'save ""',
        'appendonly no',
        `dbfilename redis-${index}.rdb`,
        'repl-diskless-sync-delay 0',
        'maxmemory-policy noeviction',
        ...(primary === undefined ? [] : [`replicaof 127.0.0.1 ${primary}`]),
        ...this.login('masteruser', 'masterauth'),
      ]);
      const node = this.nodeOf(`redis-${index}`, redis.server, [config], port, redis.env);
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
        ...this.access(port, ACCOUNTS.sentinel),
        'bind 127.0.0.1',
        `dir ${this.folder}`,
        `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${primary} ${Math.floor(size / 2) + 1}`,
        `sentinel down-after-milliseconds ${MASTER_NAME} ${DOWN_AFTER_MS}`,
        `sentinel failover-timeout ${MASTER_NAME} 6000`,
        `sentinel parallel-syncs ${MASTER_NAME} ${size}`,
        ...this.login(`sentinel auth-user ${MASTER_NAME}`, `sentinel auth-pass ${MASTER_NAME}`),
        ...this.login('sentinel sentinel-user', 'sentinel sentinel-pass'),
      ]);
      const node = this.nodeOf(`sentinel-${index}`, program, [config], port, {});
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

  /** The lines of a server's port and accounts. */
  private access(port: number, { user, password }: { user: string; password: string }): string[] {
    if (this.tls === null) return [`port ${port}`];
    const { certificate, key, authority } = this.tls;
    const { operator } = ACCOUNTS;
    return [
      'port 0',
      `tls-port ${port}`,
      `tls-cert-file ${certificate}`,
      `tls-key-file ${key}`,
      `tls-ca-cert-file ${authority}`,
      'tls-auth-clients no',
      'tls-replication yes',
      'user default off',
      `user ${user} on >${password} ~{mailstead}:* &* +@all`,
      `user ${operator.user} on >${operator.password} ~* &* +@all`,
    ];
  }

  /** The lines by which a server logs in at others. */
  private login(user: string, password: string): string[] {
    if (this.tls === null) return [];
    return [`${user} ${ACCOUNTS.operator.user}`, `${password} ${ACCOUNTS.operator.password}`];
  }

  private async write(name: string, lines: string[]): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, `${lines.join('\n')}\n`);
    return path;
  }

  private nodeOf(
    name: string,
    command: string,
    args: string[],
    port: number,
    env: Record<string, string | undefined>,
  ): RedisNode {
    const { tls } = this;
    const account = { username: ACCOUNTS.operator.user, password: ACCOUNTS.operator.password };
    const access = tls === null ? {} : { ...account, tls: { ca: tls.ca } };
    const ask = (...[first, ...rest]: [string, ...string[]]) => askRedis(port, access, first, rest);
    const isReady = () =>
      ask('PING').then(
        () => true,
        () => false,
      );
    const server = new Server({ name, command, args, env, logFile: join(this.folder, `${name}.log`), port, isReady });
    return { server, ask };
  }
}

/** Files of the servers, and the text of the authority's. */
interface Tls {
  certificate: string;
  key: string;
  authority: string;
  ca: string;
}

async function makeTls(folder: string): Promise<Tls> {
  const authority = await TestAuthority.make(join(folder, 'tls'));
  const { file } = authority;
  return { ...(await authority.issue('IP:127.0.0.1')), authority: file, ca: await readFile(file, 'utf8') };
}

async function askRedis(port: number, access: RedisOptions, command: string, args: string[]): Promise<unknown> {
  const redis = new Redis(port, '127.0.0.1', {
    ...access,
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
