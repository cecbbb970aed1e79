import type { DatabaseClock } from '@mailstead/core/clock';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { TypeormAliasRepository } from '../aliases/alias-repository.js';
import { SqlAuditLog } from '../audit/audit-log.js';
import { TypeormDomainRepository } from '../domains/domain-repository.js';
import type { Database } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { SqlAttentionList } from '../finding/attention-list.js';
import { TypeormMailboxRepository } from '../mailboxes/mailbox-repository.js';
import { SqlOutboundLedger } from '../outbound/outbound-ledger.js';
import { SqlOutboundPeriods } from '../outbound/outbound-periods.js';
import { SqlOutboundReader } from '../outbound/outbound-reader.js';
import { TypeormTierRepository } from '../outbound/tier-repository.js';
import { TypeormPartnerRepository } from '../partners/partner-repository.js';
import { TypeormRelayStates } from '../relay/relay-states.js';
import { TypeormVerificationRepository } from '../relay/verification-repository.js';
import { SqlSuppressions } from '../suppressions/sql-suppressions.js';
import { TypeormTombstoneRepository } from '../tombstones/tombstone-repository.js';
import { SqlUsageLedger } from '../usage/usage-ledger.js';
import { SqlUsageReport } from '../usage/usage-report.js';

/** Creates the outbound ports of one process. */
export function outboundPorts(database: Database, clock: DatabaseClock = new FixedClock()) {
  const unitOfWork = new SqlUnitOfWork(database);
  return {
    unitOfWork,
    partners: new TypeormPartnerRepository(database),
    domains: new TypeormDomainRepository(database),
    verifications: new TypeormVerificationRepository(database),
    mailboxes: new TypeormMailboxRepository(database),
    aliases: new TypeormAliasRepository(database),
    audit: new SqlAuditLog(database),
    attention: new SqlAttentionList(database),
    ledger: new SqlOutboundLedger(database),
    relayStates: new TypeormRelayStates(database),
    periods: new SqlOutboundPeriods(database, unitOfWork),
    reader: new SqlOutboundReader(database),
    tiers: new TypeormTierRepository(database),
    tombstones: new TypeormTombstoneRepository(database),
    suppressions: new SqlSuppressions(database),
    usage: new SqlUsageLedger(database, unitOfWork, clock),
    usageReport: new SqlUsageReport(database),
  };
}
