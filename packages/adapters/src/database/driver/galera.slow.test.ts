import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IdleJobQueue } from '@mailstead/core/testing/idle-job-queue';
import { TcpBalancer } from '@mailstead/core/testing/tcp-balancer';
import { until } from '@mailstead/core/testing/until';
import { SystemClock } from '../../system-clock.js';
import { DatabaseCheck } from '../health/database-checks.js';
import { DatabaseWriters } from '../health/database-writers.js';
import { SeveralWritersCheck } from '../health/several-writers-check.js';
import { migrate } from '../migrations/migrate.js';
import { TypeormNotifier } from '../notifications/notification-outbox.js';
import { describeGalera, GaleraCluster, type GaleraNode } from '../testing/galera-cluster.js';
import type { Database } from './database.js';
import { openDatabase } from './open-database.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

describeGalera('a Galera cluster', () => {
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

  /** Adds 1 to a counter like an increment: locks and reads in one round trip, writes and commits in another. */
  const add = (database: Database, key: string) =>
    new SqlUnitOfWork(database).run(async () => {
      const [, [counter] = []] = await database.together([
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

  it('keeps every committed unit of work complete and once, although other nodes abort some of them', async () => {
    const [first, second] = [await open(cluster.node(0)), await open(cluster.node(1))];
    await first.write(
      "INSERT INTO installation (name, value) VALUES ('counter', '0'), ('relative', '0'), ('epoch', '0')",
    );
    await until(
      'the schema on the second node',
      async () => (await second.read("SELECT 1 FROM installation WHERE name = 'epoch'")).length === 1,
    );
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
    // A unit of work that failed in every attempt throws busy.
    expect([...failed.values()].filter((code) => code !== 'busy' && code !== 'database_unavailable')).toEqual([]);
  });

  describe('the stored writers of each node', () => {
    const balancers: TcpBalancer[] = [];
    /** Opens a process that writes to the node of this URL. */
    const process = async (url: string): Promise<DatabaseWriters> => {
      const database = await openDatabase({ url, dataDir, poolSize: 10 });
      databases.push(database);
      expect(database.nodes.isCluster).toBe(true);
      const unitOfWork = new SqlUnitOfWork(database);
      const notifier = new TypeormNotifier(database, new IdleJobQueue(), { names: ['webhook'] });
      const options = { process: `process ${databases.length}`, poolSize: 10 };
      return new DatabaseWriters(database, unitOfWork, notifier, new SystemClock(), options);
    };
    const balanced = async (order: 'backup' | 'in turn'): Promise<DatabaseWriters> => {
      const ports = cluster.nodes.map(({ server }) => server.port);
      const balancer = await TcpBalancer.start(ports, order);
      balancers.push(balancer);
      return process(balancer.urlOf(cluster.node(0).url));
    };
    const seconds = (count: number) =>
      cluster
        .node(0)
        .sql('UPDATE database_writer SET first_seen_at = first_seen_at - ?, seen_at = seen_at - ?', [
          count * 1_000,
          count * 1_000,
        ]);
    const names = async (writers: DatabaseWriters) => (await writers.several()).map(({ name }) => name);
    const told = async () =>
      (
        await cluster
          .node(0)
          .caughtUp<{ data: string }>(
            "SELECT data FROM notification WHERE type = 'database.several_writers' ORDER BY id",
          )
      ).map(({ data }) => JSON.parse(data) as unknown);

    beforeEach(async () => {
      await cluster.node(0).sql('DELETE FROM database_writer');
      await cluster.node(0).sql("DELETE FROM installation WHERE name = 'several_writers_seen_at'");
      await cluster.node(0).sql('DELETE FROM notification');
    });
    afterAll(() => Promise.all(balancers.map((balancer) => balancer.stop())));

    it('contain one node while two processes write to it', async () => {
      const [first, second] = [await process(cluster.node(0).url), await process(cluster.node(0).url)];
      await Promise.all([first.note(), second.note()]);
      await Promise.all([first.note(), second.note()]);
      expect(await cluster.node(0).sql('SELECT DISTINCT node_name FROM database_writer')).toEqual([
        { node_name: 'n1' },
      ]);
      expect(await names(first)).toEqual([]);
      expect(await told()).toEqual([]);
    });

    it('show every process both written nodes, notify once, and end 30 s after the last write to the second node', async () => {
      const [first, second] = [await process(cluster.node(0).url), await process(cluster.node(1).url)];
      const check = new SeveralWritersCheck(first);
      await Promise.all([first.note(), second.note()]);
      await seconds(10);
      await Promise.all([first.note(), second.note()]);
      for (const writers of [first, second]) {
        await until('two writers', async () => (await names(writers)).join() === 'n1,n2');
      }
      expect(await check.problem()).toMatch(
        /Several Galera nodes are written to \(n1, n2\).*send all connections to one/,
      );
      for (let round = 0; round < 3; round += 1) {
        await seconds(10);
        await Promise.all([first.note(), second.note()]);
      }
      expect(await told()).toMatchObject([{ nodes: [{ name: 'n1' }, { name: 'n2' }] }]);
      await seconds(20);
      await first.note();
      expect(await check.problem()).not.toBeNull();
      await seconds(11);
      await first.note();
      expect(await check.problem()).toBeNull();
      // Later it is a new occurrence.
      await cluster
        .node(0)
        .sql("UPDATE installation SET value = value - 120000 WHERE name = 'several_writers_seen_at'");
      await second.note();
      await seconds(10);
      await first.note();
      await until('two writers', async () => (await names(first)).length === 2);
      await first.note();
      expect(await told()).toHaveLength(2);
    });

    it('contain both nodes when a load balancer distributes the connections of one pool', async () => {
      const writers = await balanced('in turn');
      await writers.note();
      await seconds(10);
      await writers.note();
      await until('two writers', async () => (await names(writers)).join() === 'n1,n2');
    });

    it('contain a second node on which transactions began between two checks', async () => {
      const writers = await process(cluster.node(0).url);
      await writers.note();
      databases.at(-1)?.nodes.saw({ name: 'n2', address: '' });
      await seconds(1);
      await writers.note();
      expect(await names(writers)).toEqual(['n1', 'n2']);
    });

    it('do not report two writers after a failover', async () => {
      const [before, after] = [await process(cluster.node(0).url), await process(cluster.node(1).url)];
      await before.note();
      await seconds(1);
      await after.note();
      await seconds(10);
      await after.note();
      await until('two noted writers', async () => {
        const rows = await cluster.node(0).sql('SELECT DISTINCT node_name FROM database_writer');
        return rows.length === 2;
      });
      expect(await names(after)).toEqual([]);
      expect(await told()).toEqual([]);
    });
  });

  it('throws database_unavailable and is not ready while the node has no quorum, and is ready again afterwards', async () => {
    const database = await open(cluster.node(1));
    const check = new DatabaseCheck(database);
    expect(await check.problem()).toBeNull();
    await cluster.node(1).sql("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'");
    await until('the check to find a problem', async () => (await check.problem()) !== null);
    // The node still responds, but refuses access to tables.
    expect(await cluster.node(1).sql('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const set = { sql: "UPDATE installation SET value = '1' WHERE name = 'epoch'", parameters: [] };
    for (const call of [
      () => database.read('SELECT name FROM installation'),
      () => database.write(set.sql),
      () => new SqlUnitOfWork(database).run(() => database.finish([set])),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'database_unavailable' });
    }
    await cluster.node(1).sql("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'");
    await until('the check to find no problem', async () => (await check.problem()) === null);
    await database.write(set.sql);
  });
});
