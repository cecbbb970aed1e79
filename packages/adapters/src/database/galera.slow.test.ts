import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from './database.js';
import { DatabaseCheck } from './database-checks.js';
import { migrate } from './migrate.js';
import { openDatabase } from './open-database.js';
import { GaleraCluster, type GaleraNode, until } from './testing/galera-cluster.js';
import { TypeormUnitOfWork } from './typeorm-unit-of-work.js';

describe('a Galera cluster', () => {
  let cluster: GaleraCluster;
  let dataDir: string;
  const databases: Database[] = [];

  const open = async (node: GaleraNode): Promise<Database> => {
    const database = await openDatabase({ url: node.url, dataDir, poolSize: 10 });
    databases.push(database);
    return database;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mailstead-test-'));
    cluster = await GaleraCluster.start(2);
    await migrate(await open(cluster.node(0)));
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Adds 1 to a counter as increments do: lock and read in one go, write and commit in another. */
  const add = (database: Database, key: string) =>
    new TypeormUnitOfWork(database).run(async () => {
      const [, [counter]] = await database.together([
        { sql: "SELECT value FROM installation WHERE name = 'epoch' LOCK IN SHARE MODE", parameters: [] },
        { sql: "SELECT value FROM installation WHERE name = 'counter' FOR UPDATE", parameters: [] },
      ]);
      await database.finish([
        {
          sql: "UPDATE installation SET value = ? WHERE name = 'counter'",
          parameters: [String(Number(counter?.value) + 1)],
        },
        {
          sql: "UPDATE installation SET value = value + 1 WHERE name = 'relative'",
          parameters: [],
        },
        { sql: 'INSERT INTO installation (name, value) VALUES (?, ?)', parameters: [key, '1'] },
      ]);
    });

  it('keeps every unit of work that was committed, whole and once, though other nodes abort some in the middle', async () => {
    const [first, second] = [await open(cluster.node(0)), await open(cluster.node(1))];
    await first.write("INSERT INTO installation (name, value) VALUES ('counter', '0'), ('relative', '0'), ('epoch', '0')");
    await until(async () => (await second.read("SELECT 1 FROM installation WHERE name = 'epoch'")).length === 1);
    const committed = new Set<string>();
    const failed = new Map<string, string>();
    const total = 4_000;
    let next = 0;
    const worker = async (database: Database): Promise<void> => {
      for (let index = next++; index < total; index = next++) {
        const key = `unit-${index}`;
        await add(database, key).then(
          () => committed.add(key),
          (error: unknown) => failed.set(key, (error as { code?: string }).code ?? String(error)),
        );
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, index) => worker(index % 2 === 0 ? first : second)));
    const rows = await cluster
      .node(0)
      .caughtUp<{ name: string; value: string }>(
        "SELECT name, value FROM installation WHERE name LIKE 'unit-%' OR name IN ('counter', 'relative')",
      );
    const kept = new Set(rows.map(({ name }) => name).filter((name) => name.startsWith('unit-')));
    const value = (name: string) => Number(rows.find((row) => row.name === name)?.value);
    expect([...committed].filter((key) => !kept.has(key))).toEqual([]);
    expect([...kept].filter((key) => !committed.has(key))).toEqual([]);
    expect(value('counter')).toBe(committed.size);
    expect(value('relative')).toBe(committed.size);
    expect(committed.size).toBeGreaterThan(total / 2);
    // Who lost every try is told to come back.
    expect(new Set(failed.values())).toEqual(failed.size === 0 ? new Set() : new Set(['database_unavailable']));
  });

  it('answers 503 and is not ready while the node has no quorum, and is ready again afterwards', async () => {
    const database = await open(cluster.node(1));
    const check = new DatabaseCheck(database);
    expect(await check.problem()).toBeNull();
    await cluster.node(1).sql("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'");
    await until(async () => (await check.problem()) !== null, 30_000);
    // The node still answers: it is the tables that it refuses.
    expect(await cluster.node(1).sql('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const set = { sql: "UPDATE installation SET value = '1' WHERE name = 'epoch'", parameters: [] };
    for (const call of [
      () => database.read('SELECT name FROM installation'),
      () => database.write(set.sql),
      () => new TypeormUnitOfWork(database).run(() => database.finish([set])),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'database_unavailable' });
    }
    await cluster.node(1).sql("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'");
    await until(async () => (await check.problem()) === null, 60_000);
    await database.write(set.sql);
  });
});
