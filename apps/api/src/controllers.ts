import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import type { MailSettings } from '@mailstead/adapters/mail-settings';
import { ServiceMetrics } from '@mailstead/adapters/metrics/service-metrics';
import { constant, provideSelf, type Token } from '@mailstead/adapters/provide';
import { AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { ChangeAlias } from '@mailstead/core/aliases/change-alias';
import { CreateAlias } from '@mailstead/core/aliases/create-alias';
import { DeleteAlias } from '@mailstead/core/aliases/delete-alias';
import { ApiKeyRepository, UsageReader } from '@mailstead/core/api-keys/api-key-repository';
import { CreateApiKey } from '@mailstead/core/api-keys/create-api-key';
import { DeleteApiKey } from '@mailstead/core/api-keys/delete-api-key';
import { CreateOwnKey } from '@mailstead/core/api-keys/make-api-key';
import { RotateApiKey } from '@mailstead/core/api-keys/rotate-api-key';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import { UpdateApiKey } from '@mailstead/core/api-keys/update-api-key';
import { AttentionList } from '@mailstead/core/attention/attention-list';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock } from '@mailstead/core/clock';
import { CreateDomain } from '@mailstead/core/domains/create-domain';
import { DeleteDomain } from '@mailstead/core/domains/delete-domain';
import { DomainFinder } from '@mailstead/core/domains/domain-finder';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { MoveDomain } from '@mailstead/core/domains/move-domain';
import { SetExternalRef, SetInbound, SetRetention, SetTransferCap } from '@mailstead/core/domains/set-domain-limits';
import { SetParent } from '@mailstead/core/domains/set-parent';
import { ActivateDomain, SuspendDomain } from '@mailstead/core/domains/suspend-domain';
import { EventFeed } from '@mailstead/core/events/event-feed';
import { type HealthCheck, ShutdownCheck } from '@mailstead/core/health-check';
import { ForgetFuturePeriods } from '@mailstead/core/jobs/forget-future-periods';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { RequestRun } from '@mailstead/core/jobs/request-run';
import { RunLedger } from '@mailstead/core/jobs/run-ledger';
import { ChangeMailbox } from '@mailstead/core/mailboxes/change-mailbox';
import { CommonPasswordRule } from '@mailstead/core/mailboxes/common-password-rule';
import { CreateMailbox } from '@mailstead/core/mailboxes/create-mailbox';
import { DeleteMailbox } from '@mailstead/core/mailboxes/delete-mailbox';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { MailboxUsage } from '@mailstead/core/mailboxes/mailbox-usage';
import { NotificationOutbox } from '@mailstead/core/notifications/notification-outbox';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import { IdempotencyStore } from '@mailstead/core/operators/idempotency-store';
import { CheckSenders } from '@mailstead/core/outbound/check-senders';
import { ConfigureOutbound } from '@mailstead/core/outbound/configure-outbound';
import { CountOutbound } from '@mailstead/core/outbound/count-outbound';
import { CountTransfer } from '@mailstead/core/outbound/count-transfer';
import { OutboundReader } from '@mailstead/core/outbound/outbound-reader';
import { PreviewOutbound } from '@mailstead/core/outbound/preview-outbound';
import { ReadOutbound } from '@mailstead/core/outbound/read-outbound';
import { ResetDaily, ResetMonthly } from '@mailstead/core/outbound/reset-outbound';
import { SetTier } from '@mailstead/core/outbound/set-tier';
import { TierRepository } from '@mailstead/core/outbound/tier-repository';
import { ChangePartner } from '@mailstead/core/partner-changes/change-partner';
import { SuspendPartner } from '@mailstead/core/partner-changes/suspend-partner';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { ChangePlan } from '@mailstead/core/plans/change-plan';
import { CreatePortalLink } from '@mailstead/core/portal-links/create-portal-link';
import { DeletePortalLink } from '@mailstead/core/portal-links/delete-portal-link';
import { PortalLinkRepository } from '@mailstead/core/portal-links/portal-link-repository';
import { CheckDns } from '@mailstead/core/relay/check-dns';
import { ReadAccount } from '@mailstead/core/relay/read-account';
import { ReadRelayStatus } from '@mailstead/core/relay/read-relay-status';
import { RelayCalls } from '@mailstead/core/relay/relay-calls';
import { RelayTrafficLog } from '@mailstead/core/relay/relay-traffic-log';
import { StartVerification } from '@mailstead/core/relay/start-verification';
import { BounceLog } from '@mailstead/core/relay-events/bounce-log';
import { ReceiveRelayEvent } from '@mailstead/core/relay-events/receive-relay-event';
import { RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import { RelayWebhook } from '@mailstead/core/relay-events/relay-webhook';
import { DeletedItems } from '@mailstead/core/restoration/deleted-items';
import { EraseDeleted } from '@mailstead/core/restoration/erase-deleted';
import { RestoreDeleted } from '@mailstead/core/restoration/restore-deleted';
import { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { ReleasePurgeBrake } from '@mailstead/core/retention/release-purge-brake';
import { CsrfTokens } from '@mailstead/core/sessions/csrf-tokens';
import { EnterByCode } from '@mailstead/core/sessions/enter-by-code';
import { OpenSession } from '@mailstead/core/sessions/open-session';
import { SessionLifetime } from '@mailstead/core/sessions/session-lifetime';
import { SessionRepository } from '@mailstead/core/sessions/session-repository';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { UsageReport } from '@mailstead/core/usage/usage-report';
import type { Container } from 'inversify';
import { AliasesController } from './aliases/aliases-controller.js';
import { ApiKeysController } from './api-keys/api-keys-controller.js';
import { OwnKeysController } from './api-keys/own-keys-controller.js';
import { AuditController } from './audit/audit-controller.js';
import { BouncesController } from './bounces/bounces-controller.js';
import { BulkController } from './bulk/bulk-controller.js';
import { CreateItems } from './bulk/create-items.js';
import { DeletedController } from './deleted/deleted-controller.js';
import { DocsController } from './docs/docs-controller.js';
import { DomainDetails } from './domains/domain-details.js';
import { DomainLookup } from './domains/domain-lookup.js';
import { DomainsController } from './domains/domains-controller.js';
import type { StreamTimes } from './events/event-stream.js';
import { EventsController } from './events/events-controller.js';
import { HealthController } from './health/health-controller.js';
import { Idempotency } from './http/idempotency.js';
import type { Controller, Route } from './http/route.js';
import { JobsController } from './jobs/jobs-controller.js';
import { MailSettingsController } from './mail-settings/mail-settings-controller.js';
import { MailboxesController } from './mailboxes/mailboxes-controller.js';
import { DescribeCaller } from './me/describe-caller.js';
import { MeController } from './me/me-controller.js';
import { MetricsController } from './metrics/metrics-controller.js';
import { OutboundController } from './outbound/outbound-controller.js';
import { OutboundDaysController } from './outbound/outbound-days-controller.js';
import { OutboundPeriodsController } from './outbound/outbound-periods-controller.js';
import { PartnersController } from './partners/partners-controller.js';
import { PlansController } from './plans/plans-controller.js';
import { PortalLinksController } from './portal-links/portal-links-controller.js';
import type { PortalUrls } from './portal-links/portal-urls.js';
import { DnsCheckController } from './relay/dns-check-controller.js';
import { RelayAccountController } from './relay/relay-account-controller.js';
import { RelayController } from './relay/relay-controller.js';
import { RetentionController } from './retention/retention-controller.js';
import { SessionsController } from './sessions/sessions-controller.js';
import { UsageController } from './usage/usage-controller.js';
import { WebhooksController } from './webhooks/webhooks-controller.js';

/** Parameters of the controllers that the container does not have. */
export interface ControllerParts {
  checks: HealthCheck[];
  metricsToken: string | null;
  portalUrls: PortalUrls;
  streamTimes: Partial<StreamTimes>;
  mailSettings: MailSettings;
  /** Every route of the service. */
  served: () => Route[];
}

/**
 * Binds every controller with the tokens of its constructor's parameters. Only controllers of this table are mounted,
 * documented and tested.
 *
 * @returns the controllers in the order of their routes
 */
export function bindControllers(container: Container, parts: ControllerParts): Token<Controller>[] {
  provideSelf(container, DomainLookup, DomainRepository);
  provideSelf(container, DomainDetails, DomainLookup, AttentionList, Clock);
  provideSelf(container, Idempotency, IdempotencyStore, UnitOfWork, Clock);
  provideSelf(container, CreateItems, IdempotencyStore, UnitOfWork, Clock);
  provideSelf(container, DescribeCaller, PartnerRepository, DomainRepository, OutboundReader, Clock);
  return [
    // Express tries the routes in this order. The policy daemon's routes are first because they are called most.
    provideSelf(
      container,
      OutboundController,
      DomainLookup,
      OutboundReader,
      Clock,
      ReadOutbound,
      ConfigureOutbound,
      CountOutbound,
      CountTransfer,
      PreviewOutbound,
      CheckSenders,
    ),
    provideSelf(
      container,
      DomainsController,
      DomainRepository,
      DomainFinder,
      DomainDetails,
      DomainLookup,
      CreateDomain,
      DeleteDomain,
      MoveDomain,
      SetParent,
      SetRetention,
      SetTransferCap,
      SetInbound,
      SetExternalRef,
      SuspendDomain,
      ActivateDomain,
      Clock,
    ),
    provideSelf(
      container,
      MailboxesController,
      DomainLookup,
      MailboxRepository,
      CreateMailbox,
      ChangeMailbox,
      DeleteMailbox,
      CommonPasswordRule,
      MailboxUsage,
    ),
    provideSelf(
      container,
      DeletedController,
      DeletedItems,
      DomainDetails,
      MailboxRepository,
      RestoreDeleted,
      EraseDeleted,
      Clock,
    ),
    provideSelf(container, AliasesController, DomainLookup, AliasRepository, CreateAlias, ChangeAlias, DeleteAlias),
    provideSelf(
      container,
      ApiKeysController,
      ApiKeyRepository,
      UsageReader,
      TokenHasher,
      CreateApiKey,
      UpdateApiKey,
      DeleteApiKey,
      RotateApiKey,
    ),
    provideSelf(container, OwnKeysController, ApiKeyRepository, CreateOwnKey, UpdateApiKey, DeleteApiKey, RotateApiKey),
    provideSelf(container, BulkController, DomainsController, MailboxesController, AliasesController, CreateItems),
    provideSelf(container, PlansController, ChangePlan),
    provideSelf(container, DnsCheckController, DomainLookup, CheckDns, Clock),
    provideSelf(container, WebhooksController, RelayWebhook, ReceiveRelayEvent, RelayTrafficLog, Clock),
    provideSelf(container, RelayAccountController, ReadAccount),
    provideSelf(container, RelayController, DomainLookup, StartVerification, ReadRelayStatus, Clock),
    provideSelf(container, OutboundPeriodsController, TierRepository, SetTier, ResetDaily, ResetMonthly),
    provideSelf(
      container,
      PortalLinksController,
      PortalLinkRepository,
      CreatePortalLink,
      DeletePortalLink,
      constant(parts.portalUrls),
    ),
    provideSelf(
      container,
      SessionsController,
      Authenticator,
      OpenSession,
      EnterByCode,
      SessionRepository,
      ApiKeyRepository,
      TokenHasher,
      CsrfTokens,
      DescribeCaller,
      SessionLifetime,
    ),
    provideSelf(container, OutboundDaysController, DomainLookup, PartnerRepository, OutboundReader, Clock),
    provideSelf(container, BouncesController, DomainLookup, BounceLog),
    provideSelf(container, MeController, DescribeCaller),
    provideSelf(container, MailSettingsController, constant(parts.mailSettings)),
    provideSelf(container, PartnersController, PartnerRepository, ChangePartner, SuspendPartner),
    provideSelf(container, UsageController, UsageReport, PartnerRepository, Clock),
    provideSelf(container, AuditController, AuditLog),
    provideSelf(container, EventsController, EventFeed, EventPositioner, ShutdownCheck, constant(parts.streamTimes)),
    provideSelf(
      container,
      JobsController,
      JobStore,
      NotificationOutbox,
      RelayEventInbox,
      RelayCalls,
      RequestRun,
      ReleasePurgeBrake,
      ForgetFuturePeriods,
      RunLedger,
      Clock,
    ),
    provideSelf(container, RetentionController, PurgeRetention),
    provideSelf(container, MetricsController, ServiceMetrics, Authenticator, constant(parts.metricsToken)),
    provideSelf(container, HealthController, constant(parts.checks)),
    provideSelf(container, DocsController, constant(parts.served)),
  ];
}
