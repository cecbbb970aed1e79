import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { type DatabaseKind, freePort, type Served, startService, startWorker } from '../service.js';
import type { Look } from './probe.js';
import { REQUESTS_A_ROUND, runRound } from './round.js';
import type { Sample, SoakResult } from './verdict.js';

const PROBE = join(fileURLToPath(new URL('../../../..', import.meta.url)), 'packages/bench/dist/soak/probe.js');
/** Rounds that run at once. */
const CALLERS = 4;

export interface SoakOptions {
  /** Null: without workers. */
  redisUrl: string | null;
  /** Whether another stretch of the load follows; between two of them every process is looked at. */
  goesOn: (rounds: number) => boolean;
  /** Ends a stretch. */
  stretchEnds: (roundsOfStretch: number) => boolean;
}

interface Probed {
  name: string;
  port: number;
  samples: Sample[];
}

/** Runs the load against a service on an empty database, and counts what it leaves. */
export async function runSoak(kind: DatabaseKind, { redisUrl, goesOn, stretchEnds }: SoakOptions): Promise<SoakResult> {
  const redis: Record<string, string> = redisUrl === null ? {} : { REDIS_URL: redisUrl };
  const api = await probed('api', (environment) => startService(kind, null, { ...redis, ...environment }));
  const worker =
    redisUrl === null
      ? null
      : await probed('worker', (environment) => startWorker(api.process, { ...redis, ...environment }));
  const processes: Probed[] = [api, ...(worker === null ? [] : [worker])];
  let rounds = 0;
  for (const each of processes) each.samples.push({ rounds, ...(await look(each.port)) });
  while (goesOn(rounds)) {
    const before = rounds;
    let next = rounds;
    const caller = async (): Promise<void> => {
      while (!stretchEnds(next - before)) {
        next += 1;
        await runRound(api.process, next);
        rounds += 1;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    for (const each of processes) each.samples.push({ rounds, ...(await look(each.port)) });
  }
  await worker?.process.stop();
  await api.process.stop();
  return {
    processes: processes.map(({ name, samples }) => ({ name, samples })),
    rounds,
    requests: rounds * REQUESTS_A_ROUND,
    rows: await rowsOf(api.process),
  };
}

async function probed<P>(name: string, start: (environment: Record<string, string>) => Promise<P>) {
  const port = await freePort();
  const environment = { MAILSTEAD_SOAK_PORT: String(port), NODE_OPTIONS: `--import=${pathToFileURL(PROBE).href}` };
  return { name, port, samples: [] as Sample[], process: await start(environment) };
}

/** A worker answers once it has loaded the probe. */
async function look(port: number): Promise<Look> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return (await (await fetch(`http://127.0.0.1:${port}/`)).json()) as Look;
    } catch (error) {
      if (attempt === 500) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Also tables that no entity describes, such as those of trails. `migration` has a row for each step of the schema. */
const TABLES = {
  mysql: `SELECT table_name AS name FROM information_schema.tables
           WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND table_name <> 'migration'`,
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'migration'",
} as const;

/** Counts the rows of every table, after the end of the processes: an embedded database belongs to one alone. */
async function rowsOf({ databaseUrl, dataDir }: Pick<Served, 'databaseUrl' | 'dataDir'>): Promise<Map<string, number>> {
  const database = await openDatabase({ url: databaseUrl, dataDir, poolSize: 2 });
  try {
    const tables = await database.read<{ name: string }>(TABLES[database.dialect.name]);
    const counts = new Map<string, number>();
    for (const { name: table } of tables) {
      const [row] = await database.read(`SELECT COUNT(*) AS n FROM ${table}`);
      counts.set(table, Number(row?.n));
    }
    return counts;
  } finally {
    await database.close();
  }
}
