import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const MASTER = 'master-token-of-the-benchmarks-0123456789';
export const WEBHOOK_KEY = Buffer.from('the secret of the benchmarks').toString('base64');

export type World = 'mariadb' | 'sqlite';

/** A child process that serves on loopback. */
export interface Served {
  url: string;
  child: ChildProcess;
  startedInMs: number;
  databaseUrl: string | null;
  dataDir: string;
  stop(): Promise<void>;
}

/** Starts the built API on an empty database of its own. */
export async function startService(
  world: World,
  own: { databaseUrl: string | null; dataDir: string } | null = null,
): Promise<Served> {
  const dataDir = own?.dataDir ?? (await mkdtemp(join(tmpdir(), 'mailstead-bench-')));
  const databaseUrl = own === null ? (world === 'mariadb' ? await emptyDatabase() : null) : own.databaseUrl;
  const served = await serve([join(ROOT, 'apps/api/dist/main.js')], {
    DATA_DIR: dataDir,
    MASTER_TOKEN: MASTER,
    SECRET_KEY: MASTER,
    BCRYPT_COST: '4',
    SANDBOX_VERIFY_AFTER: '0',
    RELAY_WEBHOOK_SECRET: `whsec_${WEBHOOK_KEY}`,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  });
  return { ...served, databaseUrl, dataDir };
}

/** A bare Express application: what the same answers cost without the service. */
export async function startFloor(get: unknown, post: unknown): Promise<Served> {
  const program = fileURLToPath(new URL('floor.js', import.meta.url));
  const served = await serve([program], { FLOOR_GET: JSON.stringify(get), FLOOR_POST: JSON.stringify(post) });
  return { ...served, databaseUrl: null, dataDir: '' };
}

/** The resident memory of a process, megabytes. */
export function residentMb({ child }: Served): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1_024;
}

export async function call(
  served: Served,
  method: string,
  path: string,
  body?: unknown,
  token = MASTER,
): Promise<Record<string, unknown>> {
  const response = await fetch(served.url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

async function serve(
  command: string[],
  environment: Record<string, string>,
): Promise<Omit<Served, 'databaseUrl' | 'dataDir'>> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH, PORT: String(port), ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error('The process ended');
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer?.ok === true) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const startedInMs = performance.now() - started;
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { url, child, startedInMs, stop };
}

async function emptyDatabase(): Promise<string> {
  const base = process.env.MAILSTEAD_TEST_MARIADB_URL;
  if (base === undefined) throw new Error('Run it by `npm run bench`: it needs a MariaDB');
  const url = new URL(base);
  url.pathname = `/bench_${Date.now()}`;
  const connection = await createConnection(base);
  await connection.query(`CREATE DATABASE ${url.pathname.slice(1)}`);
  await connection.end();
  return url.toString();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
