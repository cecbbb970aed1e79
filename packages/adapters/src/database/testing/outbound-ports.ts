import { TypeormAliasRepository } from '../alias-repository.js';
import { TypeormAuditLog } from '../audit-log.js';
import type { Database } from '../database.js';
import { TypeormDomainRepository } from '../domain-repository.js';
import { TypeormMailboxRepository } from '../mailbox-repository.js';
import { TypeormOutboundLedger } from '../outbound-ledger.js';
import { TypeormOutboundPeriods } from '../outbound-periods.js';
import { TypeormOutboundReader } from '../outbound-reader.js';
import { TypeormTierRepository } from '../outbound-tier-repository.js';
import { TypeormPartnerRepository } from '../partner-repository.js';
import { TypeormTombstoneRepository } from '../tombstone-repository.js';
import { TypeormUnitOfWork } from '../typeorm-unit-of-work.js';
import { TypeormVerificationRepository } from '../verification-repository.js';

/** The ports of one process on the database. */
export function outboundPorts(database: Database) {
  const unitOfWork = new TypeormUnitOfWork(database);
  return {
    unitOfWork,
    partners: new TypeormPartnerRepository(database),
    domains: new TypeormDomainRepository(database),
    verifications: new TypeormVerificationRepository(database),
    mailboxes: new TypeormMailboxRepository(database),
    aliases: new TypeormAliasRepository(database),
    audit: new TypeormAuditLog(database),
    ledger: new TypeormOutboundLedger(database),
    periods: new TypeormOutboundPeriods(database, unitOfWork),
    reader: new TypeormOutboundReader(database),
    tiers: new TypeormTierRepository(database),
    tombstones: new TypeormTombstoneRepository(database),
  };
}
