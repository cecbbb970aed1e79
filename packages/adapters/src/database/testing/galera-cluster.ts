import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { freePort } from '../../../../../scripts/free-port.mjs';
import { describeWith, pathOf } from '../../../../../scripts/needed-programs.mjs';
import { Server } from '../../../../../scripts/server.mjs';
import { findServicePrograms, serviceAccount } from '../../../../../scripts/service-programs.mjs';
import { makeFolder } from '../../../../../scripts/services.mjs';
import { PATIENCE_MS } from '../../../../../scripts/test-timeout.mjs';

const USER = 'mailstead';
const PASSWORD = 'galera';
const DATABASE = 'mailstead_test';

/** `describe` for tests that need a cluster. */
export const describeGalera = await describeWith('Galera');

/** One MariaDB server of the cluster. */
export class GaleraNode {
  constructor(
    readonly name: string,
    readonly server: Server,
  ) {}

  get url(): string {
    return urlOf(this.server.port);
  }

  /** Joins the cluster. Resolves when the node is in sync with the others. */
  start(): Promise<void> {
    return this.server.start();
  }

  /** Leaves the cluster with a clean shutdown. */
  stop(): Promise<void> {
    return this.server.stop();
  }

  kill(): Promise<void> {
    return this.server.kill();
  }

  sql<Row = RowDataPacket>(text: string, parameters: unknown[] = []): Promise<Row[]> {
    return ask<Row>(this.server.port, text, parameters);
  }

  /** The node receives changes and reads, and applies no change until the returned function is called. */
  async stopApplying(): Promise<() => Promise<void>> {
    const connection = await createConnection({ uri: this.url, connectTimeout: PATIENCE_MS });
    await connection.query('FLUSH TABLES WITH READ LOCK');
    return async () => {
      await connection.query('UNLOCK TABLES');
      connection.destroy();
    };
  }

  /** The clients' connections, without that of the question. */
  async connections(): Promise<number> {
    const [row] = await this.sql<{ count: number }>(
      'SELECT COUNT(*) AS count FROM information_schema.processlist WHERE user = ? AND id <> CONNECTION_ID()',
      [USER],
    );
    return row?.count ?? 0;
  }

  /** Waits until this node has all changes of the cluster, then reads. */
  async caughtUp<Row = RowDataPacket>(text: string): Promise<Row[]> {
    return ask<Row>(this.server.port, text, [], 'SET SESSION wsrep_sync_wait = 1');
  }
}

/** A Galera cluster of MariaDB servers `n1`, `n2`, … on loopback ports, with a temporary folder. */
export class GaleraCluster {
  private constructor(
    readonly nodes: GaleraNode[],
    private readonly folder: string,
  ) {}

  static async start(size: number): Promise<GaleraCluster> {
    const provider = pathOf('libgalera_smm.so') ?? '';
    const folder = await makeFolder();
    const ports = await Promise.all(Array.from({ length: size }, portsOfNode));
    const nodes: GaleraNode[] = [];
    const cluster = new GaleraCluster(nodes, folder);
    try {
      for (const [index] of ports.entries()) nodes.push(await makeNode(folder, provider, ports, index));
      await cluster.bootstrap();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  node(index: number): GaleraNode {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`There is no node ${index}`);
    return node;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  private async bootstrap(): Promise<void> {
    const [first, ...others] = this.nodes;
    if (first === undefined) throw new Error('A cluster has a node at least');
    const { args } = first.server;
    first.server.args = [...args, '--wsrep-new-cluster'];
    await first.start();
    first.server.args = args;
    for (const node of others) await node.start();
  }
}

interface NodePorts {
  sql: number;
  group: number;
  incremental: number;
  state: number;
}

async function portsOfNode(): Promise<NodePorts> {
  const [sql, group, incremental, state] = await Promise.all(Array.from({ length: 4 }, freePort));
  return { sql: sql ?? 0, group: group ?? 0, incremental: incremental ?? 0, state: state ?? 0 };
}

async function makeNode(folder: string, provider: string, ports: NodePorts[], index: number): Promise<GaleraNode> {
  const { mariadb } = await findServicePrograms(['mariadb']);
  const name = `n${index + 1}`;
  const data = join(folder, name);
  // A server that starts deletes temporary tables of others in its folder for temporary files.
  const temporary = join(folder, `${name}.tmp`);
  for (const path of [data, temporary]) await mkdir(path);
  const common = ['--no-defaults', `--datadir=${data}`];
  if (process.getuid?.() === 0) {
    const account = await serviceAccount();
    for (const path of [data, temporary, folder]) await chown(path, account.uid, account.gid);
    common.push(`--user=${account.name}`);
  }
  // The other nodes copy the data of the first one.
  if (index === 0) await install(mariadb, common);
  const own = ports[index];
  if (own === undefined) throw new Error(`There are no ports for ${name}`);
  const donors = ports.map((_, other) => `n${other + 1}`).filter((donor) => donor !== name && donor !== 'n1');
  const server = new Server({
    name,
    command: mariadb.server,
    args: [
      ...common,
      `--socket=${data}.sock`,
      `--pid-file=${data}.pid`,
      `--port=${own.sql}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--default-time-zone=+00:00',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_general_ci',
      '--max-connections=300',
      '--innodb-buffer-pool-size=64M',
      '--innodb-log-file-size=32M',
      '--innodb-autoinc-lock-mode=2',
      '--default-storage-engine=InnoDB',
      '--binlog-format=ROW',
      '--wsrep-on=ON',
      `--wsrep-provider=${provider}`,
      `--wsrep-cluster-name=${folder.slice(-8)}`,
      `--wsrep-cluster-address=gcomm://${ports.map(({ group }) => `127.0.0.1:${group}`).join(',')}`,
      `--wsrep-node-name=${name}`,
      `--wsrep-node-address=127.0.0.1:${own.group}`,
      '--wsrep-sst-method=rsync',
      `--wsrep-sst-receive-address=127.0.0.1:${own.state}`,
      // A donor does not accept writes while it is copied. Tests write to the first node, so it is the last choice.
      `--wsrep-sst-donor=${[...donors, ''].join(',')}`,
      `--wsrep-provider-options=${[
        `base_port=${own.group}`,
        `gmcast.listen_addr=tcp://127.0.0.1:${own.group}`,
        `ist.recv_addr=127.0.0.1:${own.incremental}`,
        'gcache.size=16M',
      ].join(';')}`,
    ],
    env: { ...mariadb.env, TMPDIR: temporary },
    logFile: join(folder, `${name}.log`),
    port: own.sql,
    isReady,
  });
  return new GaleraNode(name, server);
}

async function install(program: { server: string; install: string }, common: string[]): Promise<void> {
  await run(program.install, [...common, '--auth-root-authentication-method=socket', '--skip-test-db']);
  await run(
    program.server,
    [...common, '--bootstrap'],
    [
      `CREATE DATABASE ${DATABASE};`,
      'FLUSH PRIVILEGES;',
      `CREATE USER '${USER}'@'%' IDENTIFIED BY '${PASSWORD}';`,
      `GRANT ALL PRIVILEGES ON *.* TO '${USER}'@'%';\n`,
    ].join('\n'),
  );
}

async function run(command: string, args: string[], input = ''): Promise<void> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // A command that fails before it has read its input closes it (EPIPE); its exit code says so.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} failed:\n${output.slice(-2_000)}`);
}

async function isReady(port: number): Promise<boolean> {
  const rows = await ask<{ Value: string }>(
    port,
    "SHOW STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_local_state_comment')",
    [],
  ).catch(() => []);
  const values = rows.map(({ Value }) => Value);
  return values.includes('ON') && values.includes('Synced');
}

async function ask<Row>(port: number, text: string, parameters: unknown[], before?: string): Promise<Row[]> {
  const connection = await createConnection({ uri: urlOf(port), connectTimeout: PATIENCE_MS });
  try {
    if (before !== undefined) await connection.query(before);
    const [rows] = await connection.query(text, parameters);
    return rows as Row[];
  } finally {
    connection.destroy();
  }
}

function urlOf(port: number): string {
  return `mysql://${USER}:${PASSWORD}@127.0.0.1:${port}/${DATABASE}`;
}
