import { setTimeout as delay } from 'node:timers/promises';
import { AttentionList } from '@mailstead/core/attention/attention-list';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock, DatabaseClock, HOUR_MS } from '@mailstead/core/clock';
import { MendCounts } from '@mailstead/core/counts/mend-counts';
import { StoredCopies } from '@mailstead/core/counts/stored-copies';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { ExpirePendingDomains } from '@mailstead/core/domains/expire-pending-domains';
import { RemindRetention } from '@mailstead/core/domains/remind-retention';
import { EventFeed } from '@mailstead/core/events/event-feed';
import { ForgetFuturePeriods } from '@mailstead/core/jobs/forget-future-periods';
import { FuturePeriodsCheck } from '@mailstead/core/jobs/future-periods-check';
import { Heartbeats } from '@mailstead/core/jobs/heartbeats';
import { Housekeeping } from '@mailstead/core/jobs/housekeeping';
import { JobGate } from '@mailstead/core/jobs/job-gate';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { MissedRunsCheck } from '@mailstead/core/jobs/missed-runs-check';
import { PurgeRecords } from '@mailstead/core/jobs/purge-records';
import { RequestRun } from '@mailstead/core/jobs/request-run';
import { RunLedger } from '@mailstead/core/jobs/run-ledger';
import { RunRequested } from '@mailstead/core/jobs/run-requested';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import { WatchWorkers } from '@mailstead/core/jobs/watch-workers';
import { WorkerCheck } from '@mailstead/core/jobs/worker-check';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { MailboxUsage } from '@mailstead/core/mailboxes/mailbox-usage';
import { Meters } from '@mailstead/core/meters';
import { DeliverNotifications } from '@mailstead/core/notifications/deliver-notifications';
import { DeliveryLog } from '@mailstead/core/notifications/delivery-log';
import type { NotificationChannel } from '@mailstead/core/notifications/notification-channel';
import { NotificationOutbox } from '@mailstead/core/notifications/notification-outbox';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { UndeliveredCheck } from '@mailstead/core/notifications/undelivered-check';
import { IdempotencyStore } from '@mailstead/core/operators/idempotency-store';
import { PurgeOutboundRows } from '@mailstead/core/outbound/purge-outbound-rows';
import { ResetDaily, ResetMonthly } from '@mailstead/core/outbound/reset-outbound';
import { PortalLinkRepository } from '@mailstead/core/portal-links/portal-link-repository';
import { AlignIdentities } from '@mailstead/core/relay/align-identities';
import { CheckAccount } from '@mailstead/core/relay/check-account';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { DeleteIdentity } from '@mailstead/core/relay/delete-identity';
import { PollVerifications } from '@mailstead/core/relay/poll-verifications';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { PurgeRelayEvents } from '@mailstead/core/relay-events/purge-relay-events';
import { RetryRelayEvents } from '@mailstead/core/relay-events/retry-relay-events';
import { DeletedRows } from '@mailstead/core/retention/deleted-rows';
import { MailStore, NoMailStore } from '@mailstead/core/retention/mail-store';
import { MailStoreCheck } from '@mailstead/core/retention/mail-store-check';
import { PurgeBrakeCheck } from '@mailstead/core/retention/purge-brake-check';
import { PurgeMarks } from '@mailstead/core/retention/purge-marks';
import { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { ReleasePurgeBrake } from '@mailstead/core/retention/release-purge-brake';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { SessionRepository } from '@mailstead/core/sessions/session-repository';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { MeasureStorage } from '@mailstead/core/usage/measure-storage';
import { SnapshotUsage } from '@mailstead/core/usage/snapshot-usage';
import { UsageLedger } from '@mailstead/core/usage/usage-ledger';
import type { Container } from 'inversify';
import type { Config } from '../config.js';
import { Database } from '../database/driver/database.js';
import { TypeormHeartbeats } from '../database/jobs/heartbeats.js';
import { TypeormJobStore } from '../database/jobs/job-store.js';
import { TypeormRunLedger } from '../database/jobs/run-ledger.js';
import { StoredJobQueue } from '../database/jobs/stored-job-queue.js';
import { TypeormNotificationOutbox } from '../database/notification-outbox.js';
import { TypeormPurgeMarks } from '../database/purge-marks.js';
import { TypeormDeletedRows } from '../database/tombstones/deleted-rows.js';
import { DovecotStore } from '../dovecot/dovecot-store.js';
import { JobLog } from '../jobs/job-log.js';
import { JobRunner } from '../jobs/job-runner.js';
import { JobTable } from '../jobs/job-table.js';
import { ScheduleTable } from '../jobs/schedule-table.js';
import { MaildirStore } from '../maildir/maildir-store.js';
import { constant, provide, provideAlias, provideSelf } from '../provide.js';
import { EmailChannel } from '../smtp/email-channel.js';
import { isPublicAddress } from '../webhooks/public-address.js';
import { WebhookChannel } from '../webhooks/webhook-channel.js';

/** Binds the job queue, the job runner, and the handlers of all jobs and schedules. */
export function bindJobs(container: Container, config: Readonly<Config>, clock: Clock): void {
  provide(container, JobStore, TypeormJobStore, Database, UnitOfWork);
  provide(container, RunLedger, TypeormRunLedger, Database);
  provide(container, Heartbeats, TypeormHeartbeats, Database);
  provide(container, JobQueue, StoredJobQueue, JobStore, JobWaker, UnitOfWork, Clock);
  provide(container, NotificationOutbox, TypeormNotificationOutbox, Database, UnitOfWork);
  provideAlias(container, DeliveryLog, JobLog);
  provideSelf(
    container,
    DeliverNotifications,
    NotificationOutbox,
    constant(channels(config, clock)),
    JobQueue,
    DeliveryLog,
    Meters,
    Clock,
  );
  provideSelf(container, UndeliveredCheck, NotificationOutbox, Clock);
  bindRetention(container, config);
  if (config.redisUrl !== null) bindWorkerWatch(container);
  provideSelf(
    container,
    PurgeRecords,
    AuditLog,
    EventFeed,
    RunLedger,
    JobStore,
    NotificationOutbox,
    Heartbeats,
    SessionRepository,
    PortalLinkRepository,
    DatabaseClock,
    constant({ auditDays: config.auditDays, eventsDays: config.eventsDays }),
  );
  provideSelf(
    container,
    Housekeeping,
    PurgeOutboundRows,
    PurgeRelayEvents,
    PurgeRecords,
    IdempotencyStore,
    MendCounts,
    AttentionList,
    StoredCopies,
    DatabaseClock,
  );
  provideSelf(
    container,
    ScheduleTable,
    ResetDaily,
    ResetMonthly,
    PurgeRetention,
    RemoveDeletedMail,
    RemindRetention,
    ExpirePendingDomains,
    PollVerifications,
    AlignIdentities,
    CheckAccount,
    Housekeeping,
    provideSelf(container, SnapshotUsage, UsageLedger, DatabaseClock),
    provideSelf(
      container,
      MeasureStorage,
      UsageLedger,
      MailboxRepository,
      MailboxUsage,

      constant({ wait: delay }),
    ),
  );
  provideSelf(
    container,
    JobTable,
    CheckVerification,
    DeleteIdentity,
    AlignIdentities,
    ProcessRelayEvents,
    DeliverNotifications,
    RunRequested,
  );
  provideSelf(container, RunSchedules, UnitOfWork, RunLedger, ScheduleTable, Notifier, AuditLog, Clock, JobGate);
  provideSelf(container, RunRequested, UnitOfWork, RunLedger, ScheduleTable, JobQueue, Clock);
  provideSelf(container, RequestRun, UnitOfWork, JobQueue, RetryRelayEvents, AuditLog, Clock);
  provideSelf(container, MissedRunsCheck, RunSchedules);
  provideSelf(container, FuturePeriodsCheck, RunSchedules);
  provideSelf(container, ForgetFuturePeriods, UnitOfWork, RunLedger, AuditLog, DatabaseClock);
  provideSelf(container, JobRunner, JobStore, JobTable, JobWaker, Clock, JobLog, Meters, JobGate);
}

function bindWorkerWatch(container: Container): void {
  provideSelf(container, WatchWorkers, UnitOfWork, Heartbeats, Notifier, DeliverNotifications, Clock, JobGate);
  provideSelf(container, WorkerCheck, WatchWorkers);
}

function bindRetention(container: Container, config: Readonly<Config>): void {
  bindMailStore(container, config);
  provide(container, PurgeMarks, TypeormPurgeMarks, Database);
  provideSelf(
    container,
    PurgeRetention,
    DomainRepository,
    MailboxRepository,
    MailStore,
    PurgeMarks,
    UnitOfWork,
    Notifier,
    DatabaseClock,
    constant({ retentionGraceMs: config.retentionGraceHours * HOUR_MS, purgeBrake: config.purgeBrake }),
  );
  provideSelf(container, ReleasePurgeBrake, UnitOfWork, PurgeMarks, AuditLog, Clock);
  provideSelf(container, PurgeBrakeCheck, PurgeMarks);
  provideSelf(container, MailStoreCheck, MailStore, DomainRepository);
  provide(container, DeletedRows, TypeormDeletedRows, Database, UnitOfWork);
  provideSelf(container, RemoveDeletedMail, DeletedRows, MailStore, DatabaseClock);
}

function bindMailStore(container: Container, config: Readonly<Config>): void {
  const root = config.maildirRoot;
  if (config.mailStore === 'dovecot') {
    const doveadm = {
      url: config.doveadmUrl ?? '',
      apiKey: config.doveadmApiKey ?? '',
      ...(root === null ? {} : { root }),
    };
    provide(container, MailStore, DovecotStore, constant(doveadm));
  } else if (config.mailStore === 'maildir' && root !== null) {
    provide(container, MailStore, MaildirStore, constant({ root }));
  } else {
    provide(container, MailStore, NoMailStore);
  }
}

function channels(config: Readonly<Config>, clock: Clock): NotificationChannel[] {
  const { notifyWebhookUrl, notifyWebhookSecret, notifySmtpUrl, notifyEmailFrom, notifyEmailTo } = config;
  const found: NotificationChannel[] = [];
  if (notifyWebhookUrl !== null && notifyWebhookSecret !== null) {
    const allow = config.notifyAllowPrivate ? () => true : isPublicAddress;
    found.push(new WebhookChannel({ url: notifyWebhookUrl, secret: notifyWebhookSecret, allow }, clock));
  }
  if (notifySmtpUrl !== null && notifyEmailFrom !== null && notifyEmailTo !== null) {
    found.push(new EmailChannel({ url: notifySmtpUrl, from: notifyEmailFrom, to: notifyEmailTo }));
  }
  return found;
}
