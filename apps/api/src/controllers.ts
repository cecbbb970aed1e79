import type { Newable } from 'inversify';
import { AliasesController } from './aliases/aliases-controller.js';
import { ApiKeysController } from './api-keys/api-keys-controller.js';
import { OwnKeysController } from './api-keys/own-keys-controller.js';
import { AuditController } from './audit/audit-controller.js';
import { BouncesController } from './bounces/bounces-controller.js';
import { BrandController } from './brands/brand-controller.js';
import { BulkController } from './bulk/bulk-controller.js';
import { DeletedController } from './deleted/deleted-controller.js';
import { DocsController } from './docs/docs-controller.js';
import { DomainsController } from './domains/domains-controller.js';
import { EventsController } from './events/events-controller.js';
import { HealthController } from './health/health-controller.js';
import type { Controller } from './http/route.js';
import { JobsController } from './jobs/jobs-controller.js';
import { MailQueueController } from './mail-queue/mail-queue-controller.js';
import { MailSettingsController } from './mail-settings/mail-settings-controller.js';
import { MailboxesController } from './mailboxes/mailboxes-controller.js';
import { AttentionController } from './me/attention-controller.js';
import { FirstStepsController } from './me/first-steps-controller.js';
import { MeController } from './me/me-controller.js';
import { MetricsController } from './metrics/metrics-controller.js';
import { OutboundController } from './outbound/outbound-controller.js';
import { OutboundDaysController } from './outbound/outbound-days-controller.js';
import { OutboundPeriodsController } from './outbound/outbound-periods-controller.js';
import { PartnersController } from './partners/partners-controller.js';
import { PlansController } from './plans/plans-controller.js';
import { PortalLinksController } from './portal-links/portal-links-controller.js';
import { DnsCheckController } from './relay/dns-check-controller.js';
import { PartnerRelayController } from './relay/partner-relay-controller.js';
import { RelayAccountController } from './relay/relay-account-controller.js';
import { RelayController } from './relay/relay-controller.js';
import { RetentionController } from './retention/retention-controller.js';
import { SessionsController } from './sessions/sessions-controller.js';
import { SuppressionModeController } from './suppressions/suppression-mode-controller.js';
import { SuppressionsController } from './suppressions/suppressions-controller.js';
import { TrailController } from './trail/trail-controller.js';
import { UsageController } from './usage/usage-controller.js';
import { WebhookEndpointsController } from './webhook-endpoints/webhook-endpoints-controller.js';
import { WebhooksController } from './webhooks/webhooks-controller.js';

/** Only controllers of this list are mounted, documented and tested. */
export const CONTROLLERS: readonly Newable<Controller>[] = [
  // Express tries the routes in this order. The policy daemon's routes are first because they are called most.
  OutboundController,
  MailQueueController,
  TrailController,
  DomainsController,
  MailboxesController,
  DeletedController,
  AliasesController,
  ApiKeysController,
  OwnKeysController,
  BulkController,
  SuppressionsController,
  SuppressionModeController,
  PlansController,
  DnsCheckController,
  WebhookEndpointsController,
  WebhooksController,
  RelayAccountController,
  PartnerRelayController,
  RelayController,
  OutboundPeriodsController,
  PortalLinksController,
  SessionsController,
  OutboundDaysController,
  BouncesController,
  MeController,
  AttentionController,
  FirstStepsController,
  BrandController,
  MailSettingsController,
  PartnersController,
  UsageController,
  AuditController,
  EventsController,
  JobsController,
  RetentionController,
  MetricsController,
  HealthController,
  DocsController,
];
