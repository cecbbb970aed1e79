import { runLedgerContract } from '@mailstead/core/testing/run-ledger-contract';
import type { Database } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { openAgain } from '../testing/open-again.js';
import { SqlRunLedger } from './run-ledger.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let other: Database;
  afterAll(async () => {
    if (other !== opened.database) await other.close();
    await opened.close();
  });

  runLedgerContract(async () => {
    opened = await openTestDatabase(kind);
    other = await openAgain(opened);
    return {
      ledgers: [opened.database, other].map((database) => ({
        ledger: new SqlRunLedger(database),
        unitOfWork: new SqlUnitOfWork(database),
      })),
      clear: async () => void (await opened.database.write('DELETE FROM job_run')),
    };
  });
});
