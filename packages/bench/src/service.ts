import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTo } from './database.js';
import { ROOT } from './root.js';

const FLOOR = join(ROOT, 'packages/bench/dist/floor.js');
const MASTER = 'master-token-of-the-benchmarks-0123456789';
export const CLIENT = 'client-token-of-the-benchmarks';
export const JSON_TYPE = { 'content-type': 'application/json' };
export const clientHeaders = { authorization: `Bearer ${CLIENT}`, ...JSON_TYPE };
export const masterHeaders = { authorization: `Bearer ${MASTER}`, ...JSON_TYPE };
export const WEBHOOK_KEY = Buffer.from('the secret of the benchmarks').toString('base64');

export const DATABASE_KINDS = ['mariadb', 'sqlite'] as const;
export type DatabaseKind = (typeof DATABASE_KINDS)[number];

/** A hash of cost 10, for mailboxes whose creation should not hash a password. */
export const PASSWORD_HASH = '$2y$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

/** A child process that serves on loopback. */
export interface Served {
  /** For messages. */
  name: string;
  url: string;
  child: ChildProcess;
  startedInMs: number;
  databaseUrl: string | null;
  dataDir: string;
  stop(): Promise<void>;
}

/** The location of a service's data. */
type Own = Pick<Served, 'databaseUrl' | 'dataDir'>;

/** Starts the built API on the given data, or on an empty database. */
export async function startService(
  kind: DatabaseKind,
  own: Own | null = null,
  environment: Record<string, string> = {},
): Promise<Served> {
  const dataDir = own?.dataDir ?? (await mkdtemp(join(tmpdir(), 'mailstead-bench-')));
  const databaseUrl = own === null ? (kind === 'mariadb' ? await emptyDatabase() : null) : own.databaseUrl;
  const place = { databaseUrl, dataDir };
  const served = await serve([join(ROOT, 'apps/api/dist/main.js')], { ...settings(place), ...environment });
  return { name: 'The service', ...served, ...place };
}

/** Starts the built API as a new demo. */
export async function startDemo(): Promise<Served> {
  const place = { databaseUrl: null, dataDir: await mkdtemp(join(tmpdir(), 'mailstead-bench-')) };
  const served = await serve([join(ROOT, 'apps/api/dist/main.js'), '--demo'], settings(place));
  return { name: 'The demo', ...served, ...place };
}

/** Starts the built worker on the database of a service. */
export async function startWorker(
  own: Own,
  environment: Record<string, string>,
): Promise<Pick<Served, 'child' | 'stop'>> {
  const child = launch([join(ROOT, 'apps/worker/dist/main.js')], { ...settings(own), ...environment });
  return { child, stop: () => end(child) };
}

/** Starts the built policy daemon for an API. */
export async function startPolicyd(
  url: string,
  token: string,
  environment: Record<string, string> = {},
): Promise<Pick<Served, 'child' | 'stop'> & { port: number; milterPort: number; metricsUrl: string }> {
  const port = await freePort();
  const milterPort = await freePort();
  const metrics = await freePort();
  const child = launch([join(ROOT, 'apps/policyd/dist/main.js')], {
    MAILSTEAD_URL: url,
    POLICY_TOKEN: token,
    POLICY_LISTEN: `127.0.0.1:${port}`,
    MILTER_LISTEN: `127.0.0.1:${milterPort}`,
    LOGINS_LISTEN: 'off',
    METRICS_LISTEN: `127.0.0.1:${metrics}`,
    ...environment,
  });
  await answered(`http://127.0.0.1:${metrics}/health`, child);
  return { child, port, milterPort, metricsUrl: `http://127.0.0.1:${metrics}/metrics`, stop: () => end(child) };
}

function settings({ databaseUrl, dataDir }: Own): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    MASTER_TOKEN: MASTER,
    SECRET_KEY: MASTER,
    SANDBOX_VERIFY_AFTER: '0',
    RATE_LIMIT: process.env.RATE_LIMIT ?? '0',
    RELAY_WEBHOOK_SECRET: `whsec_${WEBHOOK_KEY}`,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  };
}

/**
 * Starts the baseline: a bare Express application that returns the same responses.
 *
 * @param bodyLimit the limit of the service's route, for Express.
 */
export async function startFloor(get: unknown, post: unknown, bodyLimit = '256kb'): Promise<Served> {
  const served = await serve([FLOOR], {
    FLOOR_GET: JSON.stringify(get),
    FLOOR_POST: JSON.stringify(post),
    FLOOR_BODY_LIMIT: bodyLimit,
  });
  return { name: 'Bare Express', ...served, databaseUrl: null, dataDir: '' };
}

/** Starts a baseline that runs one statement for each GET. */
export async function startSelectingFloor(get: unknown, databaseUrl: string, select: string): Promise<Served> {
  const served = await serve([FLOOR], {
    FLOOR_GET: JSON.stringify(get),
    FLOOR_SELECT: select,
    DATABASE_URL: databaseUrl,
  });
  return { name: 'Bare Express with mysql2', ...served, databaseUrl, dataDir: '' };
}

/** Returns the resident memory of a process in megabytes. */
export function residentMb({ child }: Pick<Served, 'child'>): number {
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
): Promise<Omit<Served, 'name' | 'databaseUrl' | 'dataDir'>> {
  const port = await freePort();
  const started = performance.now();
  const child = launch(command, { PORT: String(port), ...environment });
  const url = `http://127.0.0.1:${port}`;
  await answered(`${url}/health`, child);
  const startedInMs = performance.now() - started;
  return { url, child, startedInMs, stop: () => end(child) };
}

async function answered(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('The process ended');
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const running = new Set<ChildProcess>();
let node = process.execPath;

/** Starts the next processes with this program; the load generator stays on its own Node. */
export function useNode(program: string): void {
  node = program;
}

function launch(command: string[], environment: Record<string, string>): ChildProcess {
  const child = spawn(node, command, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Stops what a benchmark that failed has left running. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map(end));
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function emptyDatabase(): Promise<string> {
  const base = process.env.MAILSTEAD_TEST_MARIADB_URL;
  if (base === undefined) throw new Error('Run it by `npm run bench`: it needs a MariaDB');
  const url = new URL(base);
  url.pathname = `/bench_${Date.now()}`;
  const connection = await connectTo(base);
  await connection.query(`CREATE DATABASE ${url.pathname.slice(1)}`);
  await connection.end();
  return url.toString();
}

/** Returns a free port. It is below 32,768, because Linux uses higher ports for outgoing connections. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_081, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    await once(server.close(), 'close');
    return port;
  }
}
