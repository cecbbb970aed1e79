import { AuditLog } from '../audit/audit-log.js';
import { PurgeBrands } from '../brands/purge-brands.js';
import { DAY_MS, DatabaseClock } from '../clock.js';
import { EventFeed } from '../events/event-feed.js';
import { needs, token } from '../needs.js';
import { NotificationOutbox } from '../notifications/notification-outbox.js';
import { PortalLinkRepository } from '../portal-links/portal-link-repository.js';
import { repeatUntilNone } from '../repeat-until-none.js';
import { SessionRepository } from '../sessions/session-repository.js';
import { PurgeSuppressions } from '../suppressions/purge-suppressions.js';
import { WebhookEndpoints } from '../webhooks/webhook-endpoints.js';
import { Heartbeats } from './heartbeats.js';
import { JobStore } from './job-store.js';
import type { JobCounts } from './jobs.js';
import { RunLedger } from './run-ledger.js';

const DELIVERED_KEPT_DAYS = 30;
/** How long runs and failed work are listed for operators. */
const RUNS_KEPT_DAYS = 90;
const DEAD_KEPT_DAYS = 90;
const HEARTBEATS_KEPT_DAYS = 1;
/** A session of a `manage` link may outlive the time of its link by twelve hours. */
const LINKS_KEPT_DAYS = 1;
/** SQLite deletes a chunk in about 20 ms, for which the API serves no request. */
const ROWS_PER_CHUNK = 500;

export interface RecordsOptions {
  /** How long audit rows are kept; 0: for ever. */
  auditDays: number;
  /** How long audit rows are in the feed of events. */
  eventsDays: number;
}
export const RecordsOptions = token<RecordsOptions>('RecordsOptions');

/**
 * Deletes old records of what happened, in chunks: events, audit rows, runs, dead jobs, notifications, heartbeats,
 * sessions, portal links, attempts of webhooks and expired suppressions. And brands of partners that have ended.
 */
@needs(
  AuditLog,
  EventFeed,
  RunLedger,
  JobStore,
  NotificationOutbox,
  Heartbeats,
  SessionRepository,
  PortalLinkRepository,
  PurgeBrands,
  WebhookEndpoints,
  PurgeSuppressions,
  DatabaseClock,
  RecordsOptions,
)
export class PurgeRecords {
  constructor(
    private readonly audit: AuditLog,
    private readonly events: EventFeed,
    private readonly ledger: RunLedger,
    private readonly jobs: JobStore,
    private readonly notifications: NotificationOutbox,
    private readonly heartbeats: Heartbeats,
    private readonly sessions: SessionRepository,
    private readonly links: PortalLinkRepository,
    private readonly brands: PurgeBrands,
    private readonly webhooks: WebhookEndpoints,
    private readonly suppressions: PurgeSuppressions,
    private readonly clock: DatabaseClock,
    private readonly options: RecordsOptions,
  ) {}

  async execute(): Promise<JobCounts> {
    const now = (await this.clock.time()).getTime();
    const before = (days: number) => new Date(now - days * DAY_MS);
    const { auditDays } = this.options;
    const eventsDays = auditDays === 0 ? this.options.eventsDays : Math.min(auditDays, this.options.eventsDays);
    const [delivered, dead] = [before(DELIVERED_KEPT_DAYS), before(DEAD_KEPT_DAYS)];
    await this.heartbeats.deleteOld(before(HEARTBEATS_KEPT_DAYS));
    return {
      // Before the audit rows, because those of the feed are not deleted.
      events: await repeatUntilNone(() => this.events.dropOld(before(eventsDays), ROWS_PER_CHUNK)),
      audit: auditDays === 0 ? 0 : await repeatUntilNone(() => this.audit.deleteOld(before(auditDays), ROWS_PER_CHUNK)),
      runs: await repeatUntilNone(() => this.ledger.deleteOld(before(RUNS_KEPT_DAYS), ROWS_PER_CHUNK)),
      dead_jobs: await repeatUntilNone(() => this.jobs.deleteDead(dead, ROWS_PER_CHUNK)),
      notifications: await repeatUntilNone(() =>
        this.notifications.deleteEnded('delivered', delivered, ROWS_PER_CHUNK),
      ),
      sessions: await repeatUntilNone(() => this.sessions.deleteExpired(new Date(now), ROWS_PER_CHUNK)),
      portal_links: await repeatUntilNone(() => this.links.deleteExpired(before(LINKS_KEPT_DAYS), ROWS_PER_CHUNK)),
      brands: await repeatUntilNone(() => this.brands.execute(ROWS_PER_CHUNK)),
      webhooks: await repeatUntilNone(() => this.webhooks.deleteOld(new Date(now), ROWS_PER_CHUNK)),
      suppressions: await this.suppressions.execute(),
      dead_notifications: await repeatUntilNone(() => this.notifications.deleteEnded('dead', dead, ROWS_PER_CHUNK)),
    };
  }
}
