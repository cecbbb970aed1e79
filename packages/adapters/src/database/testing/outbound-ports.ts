import type { DatabaseClock } from '@mailstead/core/clock';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { TypeormAliasRepository } from '../alias-repository.js';
import { TypeormAuditLog } from '../audit-log.js';
import { TypeormDomainRepository } from '../domain-repository.js';
import type { Database } from '../driver/database.js';
import { TypeormUnitOfWork } from '../driver/typeorm-unit-of-work.js';
import { SqlAttentionList } from '../finding/attention-list.js';
import { TypeormMailboxRepository } from '../mailbox-repository.js';
import { TypeormOutboundLedger } from '../outbound/outbound-ledger.js';
import { TypeormOutboundPeriods } from '../outbound/outbound-periods.js';
import { TypeormOutboundReader } from '../outbound/outbound-reader.js';
import { TypeormTierRepository } from '../outbound/tier-repository.js';
import { TypeormPartnerRepository } from '../partner-repository.js';
import { TypeormRelayStates } from '../relay-states.js';
import { TypeormTombstoneRepository } from '../tombstones/tombstone-repository.js';
import { SqlUsageLedger } from '../usage/usage-ledger.js';
import { SqlUsageReport } from '../usage/usage-report.js';
import { TypeormVerificationRepository } from '../verification-repository.js';

/** Creates the outbound ports of one process. */
export function outboundPorts(database: Database, clock: DatabaseClock = new FixedClock()) {
  const unitOfWork = new TypeormUnitOfWork(database);
  return {
    unitOfWork,
    partners: new TypeormPartnerRepository(database),
    domains: new TypeormDomainRepository(database),
    verifications: new TypeormVerificationRepository(database),
    mailboxes: new TypeormMailboxRepository(database),
    aliases: new TypeormAliasRepository(database),
    audit: new TypeormAuditLog(database),
    attention: new SqlAttentionList(database),
    ledger: new TypeormOutboundLedger(database),
    relayStates: new TypeormRelayStates(database),
    periods: new TypeormOutboundPeriods(database, unitOfWork),
    reader: new TypeormOutboundReader(database),
    tiers: new TypeormTierRepository(database),
    tombstones: new TypeormTombstoneRepository(database),
    usage: new SqlUsageLedger(database, unitOfWork, clock),
    usageReport: new SqlUsageReport(database),
  };
}
