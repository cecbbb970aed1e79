import { outboundLedgerContract } from '@mailstead/core/testing/outbound-ledger-contract';
import { outboundPeriodsContract } from '@mailstead/core/testing/outbound-periods-contract';
import { TypeormAuditLog } from './audit-log.js';
import type { Database } from './database.js';
import { TypeormDomainRepository } from './domain-repository.js';
import { TypeormMailboxRepository } from './mailbox-repository.js';
import { openDatabase } from './open-database.js';
import { TypeormOutboundLedger } from './outbound-ledger.js';
import { TypeormOutboundPeriods } from './outbound-periods.js';
import { TypeormOutboundReader } from './outbound-reader.js';
import { TypeormTierRepository } from './outbound-tier-repository.js';
import { TypeormPartnerRepository } from './partner-repository.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from './testing/database-fixture.js';
import { TypeormUnitOfWork } from './typeorm-unit-of-work.js';
import { TypeormVerificationRepository } from './verification-repository.js';

onEachDatabase((kind) => {
  describe.each([
    ['counting', outboundLedgerContract],
    ['closing', outboundPeriodsContract],
  ])('%s', (_, contract) => {
    let main: TestDatabase;
    const others: Database[] = [];
    let first: ReturnType<typeof ports> | undefined;

    beforeAll(async () => {
      main = await openTestDatabase(kind);
    });

    afterAll(async () => {
      for (const database of others) await database.close();
      await main.close();
    });

    /** On MariaDB further processes with pools of their own; the embedded database has one process and one writer. */
    async function open(): Promise<ReturnType<typeof ports>> {
      const isFirst = first === undefined;
      first ??= ports(main.database);
      if (isFirst || main.url === null) return first;
      const another = await openDatabase({ url: main.url, dataDir: main.dataDir, poolSize: 10 });
      others.push(another);
      return ports(another);
    }

    contract(open);
  });
});

function ports(database: Database) {
  const unitOfWork = new TypeormUnitOfWork(database);
  return {
    unitOfWork,
    partners: new TypeormPartnerRepository(database),
    domains: new TypeormDomainRepository(database),
    verifications: new TypeormVerificationRepository(database),
    mailboxes: new TypeormMailboxRepository(database),
    audit: new TypeormAuditLog(database),
    ledger: new TypeormOutboundLedger(database),
    periods: new TypeormOutboundPeriods(database, unitOfWork),
    reader: new TypeormOutboundReader(database),
    tiers: new TypeormTierRepository(database),
  };
}
