import { AttentionList } from '@mailstead/core/attention/attention-list';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock, DatabaseClock } from '@mailstead/core/clock';
import { ChangeDomain } from '@mailstead/core/domains/change-domain';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { Meters } from '@mailstead/core/meters';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { AnnounceLimits } from '@mailstead/core/outbound/announce-limits';
import { CheckSenders } from '@mailstead/core/outbound/check-senders';
import { ConfigureOutbound } from '@mailstead/core/outbound/configure-outbound';
import { CountOutbound } from '@mailstead/core/outbound/count-outbound';
import { CountTransfer } from '@mailstead/core/outbound/count-transfer';
import { OutboundLedger } from '@mailstead/core/outbound/outbound-ledger';
import { OutboundPeriods } from '@mailstead/core/outbound/outbound-periods';
import { OutboundReader } from '@mailstead/core/outbound/outbound-reader';
import { PreviewOutbound } from '@mailstead/core/outbound/preview-outbound';
import { PurgeOutboundRows } from '@mailstead/core/outbound/purge-outbound-rows';
import { ReadOutbound } from '@mailstead/core/outbound/read-outbound';
import { ResetDaily, ResetMonthly } from '@mailstead/core/outbound/reset-outbound';
import { SenderLogins } from '@mailstead/core/outbound/sender-logins';
import { SetTier } from '@mailstead/core/outbound/set-tier';
import { TierRepository } from '@mailstead/core/outbound/tier-repository';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { RelayTrafficLog } from '@mailstead/core/relay/relay-traffic-log';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Container } from 'inversify';
import { Database } from '../database/driver/database.js';
import { TypeormOutboundLedger } from '../database/outbound/outbound-ledger.js';
import { TypeormOutboundPeriods } from '../database/outbound/outbound-periods.js';
import { TypeormOutboundReader } from '../database/outbound/outbound-reader.js';
import { TypeormSenderLogins } from '../database/outbound/sender-logins.js';
import { TypeormTierRepository } from '../database/outbound/tier-repository.js';
import { provide, provideSelf } from '../provide.js';

/** Binds the counters and limits of outbound mail. */
export function bindOutbound(container: Container): void {
  provide(container, OutboundLedger, TypeormOutboundLedger, Database);
  provide(container, OutboundPeriods, TypeormOutboundPeriods, Database, UnitOfWork);
  provide(container, OutboundReader, TypeormOutboundReader, Database);
  provide(container, TierRepository, TypeormTierRepository, Database);
  provide(container, SenderLogins, TypeormSenderLogins, Database);
  provideSelf(container, CheckSenders, SenderLogins);
  provideSelf(container, AnnounceLimits, Notifier, AuditLog, AttentionList);
  provideSelf(
    container,
    CountOutbound,
    UnitOfWork,
    OutboundLedger,
    AnnounceLimits,
    Clock,
    Meters,
    RelayTrafficLog,
    RelayProvider,
  );
  provideSelf(container, CountTransfer, UnitOfWork, OutboundLedger, AnnounceLimits, Clock);
  provideSelf(container, PreviewOutbound, OutboundLedger, Clock);
  provideSelf(container, ReadOutbound, DomainRepository, TierRepository, OutboundReader, PreviewOutbound, Clock);
  provideSelf(
    container,
    ConfigureOutbound,
    ChangeDomain,
    DomainRepository,
    TierRepository,
    OutboundLedger,
    Notifier,
    OutboundReader,
    AttentionList,
  );
  provideSelf(container, SetTier, UnitOfWork, TierRepository, AuditLog, Clock);
  provideSelf(container, ResetDaily, UnitOfWork, OutboundPeriods, AuditLog, Clock);
  provideSelf(container, ResetMonthly, UnitOfWork, OutboundPeriods, JobQueue, AuditLog, Clock, DatabaseClock);
  provideSelf(container, PurgeOutboundRows, OutboundPeriods, DatabaseClock);
}
