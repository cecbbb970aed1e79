import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock } from '@mailstead/core/clock';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { Meters } from '@mailstead/core/meters';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { OutboundLedger } from '@mailstead/core/outbound/outbound-ledger';
import { CheckDns } from '@mailstead/core/relay/check-dns';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { DeleteIdentity } from '@mailstead/core/relay/delete-identity';
import { DnsResolver } from '@mailstead/core/relay/dns-resolver';
import { PollVerifications } from '@mailstead/core/relay/poll-verifications';
import { ReadRelayStatus } from '@mailstead/core/relay/read-relay-status';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { StartVerification } from '@mailstead/core/relay/start-verification';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { PurgeRelayEvents } from '@mailstead/core/relay-events/purge-relay-events';
import { ReceiveRelayEvent } from '@mailstead/core/relay-events/receive-relay-event';
import { RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import { RelayWebhook, UnsignedWebhook } from '@mailstead/core/relay-events/relay-webhook';
import { RetryRelayEvents } from '@mailstead/core/relay-events/retry-relay-events';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Container } from 'inversify';
import { type Config, listOf } from '../config.js';
import { Database } from '../database/driver/database.js';
import { TypeormRelayEventInbox } from '../database/relay-event-inbox.js';
import { NodeDnsResolver } from '../dns/node-dns-resolver.js';
import { constant, provide, provideSelf } from '../provide.js';
import { RateLimiter, type RateShare } from '../relay/rate-limiter.js';
import { SandboxRelayProvider } from '../sandbox-relay/sandbox-relay-provider.js';
import { SandboxWebhook } from '../sandbox-relay/sandbox-webhook.js';
import { CertificateSource, HttpsCertificateSource } from '../ses/certificate-source.js';
import { SesRelayProvider } from '../ses/ses-relay-provider.js';
import { SnsWebhook } from '../ses/sns-webhook.js';

/** How long one call to the provider may take. */
const PROVIDER_TIMEOUT_MS = 10_000;

interface ProviderIdentity {
  installationId: string;
  share: RateShare;
}

/** Verification with the relay provider, DNS, and the provider's events. */
export function bindRelay(container: Container, config: Readonly<Config>, identity: ProviderIdentity): void {
  bindProvider(container, config, identity);
  provide(container, DnsResolver, NodeDnsResolver, constant({ servers: listOf(config.dnsServers) }));
  provideSelf(
    container,
    CheckDns,
    DnsResolver,
    constant({ mxHosts: listOf(config.mxHosts), spfInclude: config.spfInclude }),
  );
  provideSelf(
    container,
    CheckVerification,
    UnitOfWork,
    DomainRepository,
    VerificationRepository,
    RelayProvider,
    DnsResolver,
    JobQueue,
    Notifier,
    AuditLog,
    Clock,
  );
  provideSelf(
    container,
    StartVerification,
    UnitOfWork,
    DomainRepository,
    VerificationRepository,
    JobQueue,
    AuditLog,
    Clock,
  );
  provideSelf(
    container,
    ReadRelayStatus,
    DomainRepository,
    VerificationRepository,
    CheckVerification,
    RelayProvider,
    Clock,
  );
  provideSelf(container, PollVerifications, VerificationRepository, CheckVerification, RelayProvider, Clock);
  provideSelf(container, DeleteIdentity, DomainRepository, RelayProvider);
  bindEvents(container, config);
}

function bindProvider(container: Container, config: Readonly<Config>, identity: ProviderIdentity): void {
  if (config.relayProvider === 'sandbox') {
    provide(
      container,
      RelayProvider,
      SandboxRelayProvider,
      constant({ verifyAfterSeconds: config.sandboxVerifyAfter }),
      Clock,
    );
    if (config.relayWebhookSecret !== null) {
      provide(container, RelayWebhook, SandboxWebhook, constant({ secret: config.relayWebhookSecret }), Clock);
    } else {
      provide(container, RelayWebhook, UnsignedWebhook);
    }
    return;
  }
  const ses = {
    ...identity,
    region: config.awsRegion ?? '',
    timeoutMs: PROVIDER_TIMEOUT_MS,
    ...(config.sesEndpoint === null ? {} : { endpoint: config.sesEndpoint }),
  };
  provide(container, RelayProvider, SesRelayProvider, constant(ses), RateLimiter, Meters);
  provide(container, CertificateSource, HttpsCertificateSource);
  provide(
    container,
    RelayWebhook,
    SnsWebhook,
    constant({ topicArns: listOf(config.snsTopicArns) }),
    CertificateSource,
    Clock,
  );
}

function bindEvents(container: Container, config: Readonly<Config>): void {
  const rule = {
    bounceRateLimit: config.bounceRateLimit,
    bounceMinSent: config.bounceMinSent,
    complaintRateLimit: config.complaintRateLimit,
  };
  provide(container, RelayEventInbox, TypeormRelayEventInbox, Database);
  provideSelf(container, ReceiveRelayEvent, UnitOfWork, RelayEventInbox, JobQueue, Clock, Meters);
  provideSelf(
    container,
    ProcessRelayEvents,
    UnitOfWork,
    RelayEventInbox,
    DomainRepository,
    OutboundLedger,
    Notifier,
    AuditLog,
    JobQueue,
    Clock,
    Meters,
    constant(rule),
  );
  provideSelf(container, PurgeRelayEvents, RelayEventInbox, Clock);
  provideSelf(container, RetryRelayEvents, UnitOfWork, RelayEventInbox, JobQueue, Clock);
}
