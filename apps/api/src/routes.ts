import { resolve } from '@mailstead/adapters/container';
import { OperatorTokens } from '@mailstead/adapters/crypto/operator-tokens';
import type { ServiceMetrics } from '@mailstead/adapters/metrics/service-metrics';
import type { Token } from '@mailstead/adapters/provide';
import { AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { CreateAlias } from '@mailstead/core/aliases/create-alias';
import { DeleteAlias } from '@mailstead/core/aliases/delete-alias';
import { ApiKeyRepository, UsageReader } from '@mailstead/core/api-keys/api-key-repository';
import { CreateApiKey } from '@mailstead/core/api-keys/create-api-key';
import { DeleteApiKey } from '@mailstead/core/api-keys/delete-api-key';
import { UpdateApiKey } from '@mailstead/core/api-keys/update-api-key';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock } from '@mailstead/core/clock';
import { CreateDomain } from '@mailstead/core/domains/create-domain';
import { DeleteDomain } from '@mailstead/core/domains/delete-domain';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { MoveDomain } from '@mailstead/core/domains/move-domain';
import { SetInbound, SetRetention, SetTransferCap } from '@mailstead/core/domains/set-domain-limits';
import { SetParent } from '@mailstead/core/domains/set-parent';
import { ActivateDomain, SuspendDomain } from '@mailstead/core/domains/suspend-domain';
import type { HealthCheck } from '@mailstead/core/health-check';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { RunLedger } from '@mailstead/core/jobs/run-ledger';
import { ChangeMailbox } from '@mailstead/core/mailboxes/change-mailbox';
import { CreateMailbox } from '@mailstead/core/mailboxes/create-mailbox';
import { DeleteMailbox } from '@mailstead/core/mailboxes/delete-mailbox';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { MailboxUsage } from '@mailstead/core/mailboxes/mailbox-usage';
import { NotificationOutbox } from '@mailstead/core/notifications/notification-outbox';
import { Authenticator } from '@mailstead/core/operators/authenticator';
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
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { ChangePlan } from '@mailstead/core/plans/change-plan';
import { CheckDns } from '@mailstead/core/relay/check-dns';
import { ReadRelayStatus } from '@mailstead/core/relay/read-relay-status';
import { StartVerification } from '@mailstead/core/relay/start-verification';
import { ReceiveRelayEvent } from '@mailstead/core/relay-events/receive-relay-event';
import { RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import { RelayWebhook } from '@mailstead/core/relay-events/relay-webhook';
import { RetryRelayEvents } from '@mailstead/core/relay-events/retry-relay-events';
import { MailStore } from '@mailstead/core/retention/mail-store';
import { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import type { Container } from 'inversify';
import { aliasesController } from './aliases/aliases-controller.js';
import { apiKeysController } from './api-keys/api-keys-controller.js';
import { auditController } from './audit/audit-controller.js';
import { docsController } from './docs/docs-controller.js';
import { domainsController } from './domains/domains-controller.js';
import { healthController } from './health/health-controller.js';
import type { Route } from './http/route.js';
import { jobsController } from './jobs/jobs-controller.js';
import { mailboxesController } from './mailboxes/mailboxes-controller.js';
import { meController } from './me/me-controller.js';
import { metricsController } from './metrics/metrics-controller.js';
import { outboundController } from './outbound/outbound-controller.js';
import { outboundPeriodsController } from './outbound/outbound-periods-controller.js';
import { partnersController } from './partners/partners-controller.js';
import { plansController } from './plans/plans-controller.js';
import { dnsCheckController } from './relay/dns-check-controller.js';
import { relayController } from './relay/relay-controller.js';
import { retentionController } from './retention/retention-controller.js';
import { webhooksController } from './webhooks/webhooks-controller.js';

/** What a process adds to the wired parts. */
interface ProcessParts {
  checks: HealthCheck[];
  metrics: ServiceMetrics;
  metricsToken: string | null;
}

/** Every route of the service. What is mounted, documented and tested is this list. */
export function createRoutes(container: Container, { checks, metrics, metricsToken }: ProcessParts): Route[] {
  const get = <T>(token: Token<T>): T => resolve(container, token);
  const domains = get(DomainRepository);
  const mailboxes = get(MailboxRepository);
  const aliases = get(AliasRepository);
  const partners = get(PartnerRepository);
  const clock = get(Clock);
  const routes: Route[] = [
    // Express tries one route after the other: the policy daemon's come first.
    ...outboundController({
      domains,
      clock,
      reader: get(OutboundReader),
      readOutbound: get(ReadOutbound),
      configureOutbound: get(ConfigureOutbound),
      countOutbound: get(CountOutbound),
      countTransfer: get(CountTransfer),
      previewOutbound: get(PreviewOutbound),
      checkSenders: get(CheckSenders),
    }),
    ...domainsController({
      domains,
      clock,
      createDomain: get(CreateDomain),
      deleteDomain: get(DeleteDomain),
      moveDomain: get(MoveDomain),
      setParent: get(SetParent),
      setRetention: get(SetRetention),
      setTransferCap: get(SetTransferCap),
      setInbound: get(SetInbound),
      suspendDomain: get(SuspendDomain),
      activateDomain: get(ActivateDomain),
    }),
    ...mailboxesController({
      domains,
      mailboxes,
      createMailbox: get(CreateMailbox),
      changeMailbox: get(ChangeMailbox),
      deleteMailbox: get(DeleteMailbox),
      usage: get(MailboxUsage),
    }),
    ...aliasesController({ domains, aliases, createAlias: get(CreateAlias), deleteAlias: get(DeleteAlias) }),
    ...apiKeysController({
      partners,
      apiKeys: get(ApiKeyRepository),
      usage: get(UsageReader),
      tokens: get(OperatorTokens),
      createApiKey: get(CreateApiKey),
      updateApiKey: get(UpdateApiKey),
      deleteApiKey: get(DeleteApiKey),
    }),
    ...plansController({ changePlan: get(ChangePlan) }),
    ...dnsCheckController({ domains, clock, checkDns: get(CheckDns) }),
    ...webhooksController({
      webhook: container.isBound(RelayWebhook) ? get(RelayWebhook) : null,
      receiveRelayEvent: get(ReceiveRelayEvent),
    }),
    ...relayController({
      domains,
      clock,
      startVerification: get(StartVerification),
      readRelayStatus: get(ReadRelayStatus),
    }),
    ...outboundPeriodsController({
      tiers: get(TierRepository),
      setTier: get(SetTier),
      resetDaily: get(ResetDaily),
      resetMonthly: get(ResetMonthly),
    }),
    ...meController({ partners }),
    ...partnersController({ partners }),
    ...auditController({ audit: get(AuditLog) }),
    ...jobsController({
      clock,
      store: get(JobStore),
      ledger: get(RunLedger),
      queue: get(JobQueue),
      outbox: get(NotificationOutbox),
      inbox: get(RelayEventInbox),
      retryRelayEvents: get(RetryRelayEvents),
    }),
    ...retentionController({ purge: container.isBound(MailStore) ? get(PurgeRetention) : null }),
    ...metricsController({ metrics, authenticator: get(Authenticator), token: metricsToken }),
    ...healthController({ checks }),
    ...docsController(() => routes),
  ];
  return routes;
}
