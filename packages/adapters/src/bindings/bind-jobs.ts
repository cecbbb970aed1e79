import { Clock, HOUR_MS } from '@mailstead/core/clock';
import { MendCounts } from '@mailstead/core/counts/mend-counts';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { Housekeeping } from '@mailstead/core/jobs/housekeeping';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { MissedRunsCheck } from '@mailstead/core/jobs/missed-runs-check';
import { RunLedger } from '@mailstead/core/jobs/run-ledger';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { Meters } from '@mailstead/core/meters';
import { DeliverNotifications } from '@mailstead/core/notifications/deliver-notifications';
import type { NotificationChannel } from '@mailstead/core/notifications/notification-channel';
import { NotificationOutbox } from '@mailstead/core/notifications/notification-outbox';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { IdempotencyStore } from '@mailstead/core/operators/idempotency-store';
import { PurgeOutboundRows } from '@mailstead/core/outbound/purge-outbound-rows';
import { ResetDaily, ResetMonthly } from '@mailstead/core/outbound/reset-outbound';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { DeleteIdentity } from '@mailstead/core/relay/delete-identity';
import { PollVerifications } from '@mailstead/core/relay/poll-verifications';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { PurgeRelayEvents } from '@mailstead/core/relay-events/purge-relay-events';
import { DeletedRows } from '@mailstead/core/retention/deleted-rows';
import { MailStore, NoMailStore } from '@mailstead/core/retention/mail-store';
import { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Container } from 'inversify';
import type { Config } from '../config.js';
import { Database } from '../database/driver/database.js';
import { TypeormJobStore } from '../database/jobs/job-store.js';
import { TypeormRunLedger } from '../database/jobs/run-ledger.js';
import { StoredJobQueue } from '../database/jobs/stored-job-queue.js';
import { TypeormNotificationOutbox } from '../database/notification-outbox.js';
import { TypeormDeletedRows } from '../database/tombstones/deleted-rows.js';
import { DovecotStore } from '../dovecot/dovecot-store.js';
import { JobLog } from '../jobs/job-log.js';
import { JobRunner } from '../jobs/job-runner.js';
import { JobTable } from '../jobs/job-table.js';
import { ScheduleTable } from '../jobs/schedule-table.js';
import { MaildirStore } from '../maildir/maildir-store.js';
import { constant, provide, provideSelf } from '../provide.js';
import { EmailChannel } from '../smtp/email-channel.js';
import { isPublicAddress } from '../webhooks/public-address.js';
import { WebhookChannel } from '../webhooks/webhook-channel.js';

/** Binds the job queue, the job runner, and the handlers of all jobs and schedules. */
export function bindJobs(container: Container, config: Readonly<Config>, clock: Clock): void {
  provide(container, JobStore, TypeormJobStore, Database, UnitOfWork);
  provide(container, RunLedger, TypeormRunLedger, Database);
  provide(container, JobQueue, StoredJobQueue, JobStore, JobWaker, UnitOfWork, Clock);
  provide(container, NotificationOutbox, TypeormNotificationOutbox, Database, UnitOfWork);
  provideSelf(container, DeliverNotifications, NotificationOutbox, constant(channels(config, clock)), JobQueue, Clock);
  bindRetention(container, config);
  provideSelf(
    container,
    Housekeeping,
    PurgeOutboundRows,
    PurgeRelayEvents,
    NotificationOutbox,
    IdempotencyStore,
    MendCounts,
    Clock,
  );
  provideSelf(
    container,
    ScheduleTable,
    ResetDaily,
    ResetMonthly,
    PurgeRetention,
    RemoveDeletedMail,
    PollVerifications,
    Housekeeping,
  );
  provideSelf(
    container,
    JobTable,
    CheckVerification,
    DeleteIdentity,
    ProcessRelayEvents,
    DeliverNotifications,
    RunSchedules,
  );
  provideSelf(container, RunSchedules, UnitOfWork, RunLedger, ScheduleTable, Notifier, Clock);
  provideSelf(container, MissedRunsCheck, RunSchedules);
  provideSelf(container, JobRunner, JobStore, JobTable, JobWaker, Clock, JobLog, Meters);
}

function bindRetention(container: Container, config: Readonly<Config>): void {
  bindMailStore(container, config);
  const grace = constant({ retentionGraceMs: config.retentionGraceHours * HOUR_MS });
  provideSelf(container, PurgeRetention, DomainRepository, MailboxRepository, MailStore, Clock, grace);
  provide(container, DeletedRows, TypeormDeletedRows, Database, UnitOfWork);
  provideSelf(container, RemoveDeletedMail, DeletedRows, MailStore, Clock);
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
