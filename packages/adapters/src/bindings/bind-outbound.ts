import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock } from '@mailstead/core/clock';
import { ChangeDomain } from '@mailstead/core/domains/change-domain';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { JobQueue } from '@mailstead/core/jobs';
import { Meters } from '@mailstead/core/meters';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { CheckSenders } from '@mailstead/core/outbound/check-senders';
import { ConfigureOutbound } from '@mailstead/core/outbound/configure-outbound';
import { LookOutbound } from '@mailstead/core/outbound/look-outbound';
import { OutboundLedger } from '@mailstead/core/outbound/outbound-ledger';
import { OutboundPeriods } from '@mailstead/core/outbound/outbound-periods';
import { OutboundReader } from '@mailstead/core/outbound/outbound-reader';
import { PurgeOutboundRows } from '@mailstead/core/outbound/purge-outbound-rows';
import { ReadOutbound } from '@mailstead/core/outbound/read-outbound';
import { RecordOutbound } from '@mailstead/core/outbound/record-outbound';
import { RecordTransfer } from '@mailstead/core/outbound/record-transfer';
import { ResetDaily, ResetMonthly } from '@mailstead/core/outbound/reset-outbound';
import { SenderLogins } from '@mailstead/core/outbound/sender-logins';
import { SetTier } from '@mailstead/core/outbound/set-tier';
import { TierRepository } from '@mailstead/core/outbound/tier-repository';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Container } from 'inversify';
import { Database } from '../database/database.js';
import { TypeormOutboundLedger } from '../database/outbound-ledger.js';
import { TypeormOutboundPeriods } from '../database/outbound-periods.js';
import { TypeormOutboundReader } from '../database/outbound-reader.js';
import { TypeormTierRepository } from '../database/outbound-tier-repository.js';
import { TypeormSenderLogins } from '../database/sender-logins.js';
import { provide, provideSelf } from '../provide.js';

/** What is counted of outbound mail, and what limits it. */
export function bindOutbound(container: Container): void {
  provide(container, OutboundLedger, TypeormOutboundLedger, Database);
  provide(container, OutboundPeriods, TypeormOutboundPeriods, Database, UnitOfWork);
  provide(container, OutboundReader, TypeormOutboundReader, Database);
  provide(container, TierRepository, TypeormTierRepository, Database);
  provide(container, SenderLogins, TypeormSenderLogins, Database);
  provideSelf(container, CheckSenders, SenderLogins);
  provideSelf(container, RecordOutbound, UnitOfWork, OutboundLedger, Notifier, Clock, Meters);
  provideSelf(container, RecordTransfer, UnitOfWork, OutboundLedger, Notifier, Clock);
  provideSelf(container, LookOutbound, UnitOfWork, OutboundLedger, Clock);
  provideSelf(container, ReadOutbound, DomainRepository, TierRepository, OutboundReader, Clock);
  provideSelf(container, ConfigureOutbound, ChangeDomain, DomainRepository, TierRepository, OutboundLedger, Notifier);
  provideSelf(container, SetTier, UnitOfWork, TierRepository, AuditLog, Clock);
  provideSelf(container, ResetDaily, UnitOfWork, OutboundPeriods, AuditLog, Clock);
  provideSelf(container, ResetMonthly, UnitOfWork, OutboundPeriods, JobQueue, AuditLog, Clock);
  provideSelf(container, PurgeOutboundRows, OutboundPeriods, Clock);
}
