import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobStoreContract } from '@mailstead/core/testing/job-store-contract';
import { runLedgerContract } from '@mailstead/core/testing/run-ledger-contract';
import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { migrate } from '../migrations/migrate.js';
import { describeGalera, GaleraCluster } from '../testing/galera-cluster.js';
import { SqlJobStore } from './job-store.js';
import { SqlRunLedger } from './run-ledger.js';

/** Writes go to two nodes, which do not share locks. */
describeGalera('on two nodes of a Galera cluster', () => {
  let cluster: GaleraCluster;
  let dataDir: string;
  let first: Database;
  let second: Database;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mailstead-test-'));
    cluster = await GaleraCluster.start(2);
    [first, second] = (await Promise.all(
      [0, 1].map((node) => openDatabase({ url: cluster.node(node).url, dataDir, poolSize: 10 })),
    )) as [Database, Database];
    await migrate(first);
    await cluster.node(1).caughtUp('SELECT 1');
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Waits until the other node has applied the changes. */
  const caughtUp = async () => void (await cluster.node(1).caughtUp('SELECT 1'));
  const storeOf = (database: Database) => new SqlJobStore(database, new SqlUnitOfWork(database));

  describe('jobs', () => {
    jobStoreContract(async () => ({
      stores: [storeOf(first), storeOf(second)],
      caughtUp,
      clear: async () => {
        await first.write('DELETE FROM job');
        await caughtUp();
      },
    }));
  });

  describe('runs', () => {
    runLedgerContract(async () => ({
      ledgers: [first, second].map((database) => ({
        ledger: new SqlRunLedger(database),
        unitOfWork: new SqlUnitOfWork(database),
      })),
      clear: async () => {
        await first.write('DELETE FROM job_run');
        await caughtUp();
      },
    }));
  });
});
