import { trailStoreContract } from '@mailstead/core/testing/trail-store-contract';
import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';
import { SqlTrailStore } from './trail-store.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let other: Database | null = null;

  const portsOf = (database: Database) => ({ ...outboundPorts(database), trail: new SqlTrailStore(database) });

  const open = async () => {
    opened = await openTestDatabase(kind);
    const { url, dataDir, database } = opened;
    // SQLite belongs to one process.
    other = url === null ? null : await openDatabase({ url, dataDir, poolSize: 5 });
    return { one: portsOf(database), other: portsOf(other ?? database) };
  };

  afterAll(async () => {
    await other?.close();
    await opened.close();
  });

  trailStoreContract(open);
});
