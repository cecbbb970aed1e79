import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock, DatabaseClock } from '@mailstead/core/clock';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { Meters } from '@mailstead/core/meters';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { OutboundLedger } from '@mailstead/core/outbound/outbound-ledger';
import { AlignIdentities } from '@mailstead/core/relay/align-identities';
import { CheckAccount } from '@mailstead/core/relay/check-account';
import { CheckDns } from '@mailstead/core/relay/check-dns';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { DeleteIdentity } from '@mailstead/core/relay/delete-identity';
import { DnsResolver } from '@mailstead/core/relay/dns-resolver';
import { ObservedRelayProvider } from '@mailstead/core/relay/observed-relay-provider';
import { OwnVerification } from '@mailstead/core/relay/own-verification';
import { PollVerifications } from '@mailstead/core/relay/poll-verifications';
import { ReadAccount } from '@mailstead/core/relay/read-account';
import { ReadRelayStatus } from '@mailstead/core/relay/read-relay-status';
import { RelayAccountCheck } from '@mailstead/core/relay/relay-account-check';
import { RelayCalls } from '@mailstead/core/relay/relay-calls';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { RelayStates } from '@mailstead/core/relay/relay-state';
import { RelayTrafficLog } from '@mailstead/core/relay/relay-traffic-log';
import { StartVerification } from '@mailstead/core/relay/start-verification';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import { BlockBouncingDomain } from '@mailstead/core/relay-events/block-bouncing-domain';
import { BounceLog } from '@mailstead/core/relay-events/bounce-log';
import { CountRelayEvents } from '@mailstead/core/relay-events/count-relay-events';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { PurgeRelayEvents } from '@mailstead/core/relay-events/purge-relay-events';
import { ReceiveRelayEvent } from '@mailstead/core/relay-events/receive-relay-event';
import { RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import { RelayWebhook } from '@mailstead/core/relay-events/relay-webhook';
import { RetryRelayEvents } from '@mailstead/core/relay-events/retry-relay-events';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { Container } from 'inversify';
import type { Config } from '../config.js';
import { listOf } from '../config-lists.js';
import { TypeormBounceLog } from '../database/bounce-log.js';
import { Database } from '../database/driver/database.js';
import { TypeormRelayCalls } from '../database/relay-calls.js';
import { TypeormRelayEventInbox } from '../database/relay-event-inbox.js';
import { TypeormRelayStates } from '../database/relay-states.js';
import { RelayTrafficStamps } from '../database/relay-traffic-stamps.js';
import { NodeDnsResolver } from '../dns/node-dns-resolver.js';
import { constant, provide, provideAlias, provideMade, provideSelf } from '../provide.js';
import { createRelayProvider, createRelayWebhook, type RelayParts } from '../relay/providers.js';

type ProviderParts = Omit<RelayParts, 'clock' | 'meters'>;

/** Binds the relay provider, the verification of domains, the DNS checks and the provider's events. */
export function bindRelay(container: Container, config: Readonly<Config>, parts: ProviderParts): void {
  bindProvider(container, config, parts);
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
    OwnVerification,
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
  provideSelf(container, AlignIdentities, VerificationRepository, RelayProvider, JobQueue, Clock);
  provideSelf(container, PollVerifications, VerificationRepository, CheckVerification, RelayProvider, Clock);
  bindAccount(container, config);
  provideSelf(container, DeleteIdentity, UnitOfWork, DomainRepository, RelayProvider, JobQueue);
  bindEvents(container, config);
}

function bindProvider(container: Container, config: Readonly<Config>, parts: ProviderParts): void {
  const relayParts = (clock: Clock, meters: Meters): RelayParts => ({ ...parts, clock, meters });
  provide(container, RelayCalls, TypeormRelayCalls, Database);
  provide(container, RelayStates, TypeormRelayStates, Database);
  provideSelf(container, RelayTrafficStamps, RelayStates);
  provideAlias(container, RelayTrafficLog, RelayTrafficStamps);
  provideMade(
    container,
    RelayProvider,
    (clock, meters, calls) =>
      new ObservedRelayProvider(createRelayProvider(config, relayParts(clock, meters)), calls, clock),
    Clock,
    Meters,
    RelayCalls,
  );
  provideMade(container, RelayWebhook, (...made) => createRelayWebhook(config, relayParts(...made)), Clock, Meters);
}

function bindAccount(container: Container, config: Readonly<Config>): void {
  const listener = constant({ provider: config.relayProvider, topics: listOf(config.snsTopicArns) });
  provideSelf(container, CheckAccount, UnitOfWork, RelayProvider, RelayStates, Notifier, JobQueue, Clock, listener);
  provideSelf(container, ReadAccount, RelayProvider, RelayStates, VerificationRepository, Clock, listener);
  provideSelf(container, RelayAccountCheck, ReadAccount);
}

function bindEvents(container: Container, config: Readonly<Config>): void {
  const rule = {
    bounceRateLimit: config.bounceRateLimit,
    bounceMinSent: config.bounceMinSent,
    complaintRateLimit: config.complaintRateLimit,
  };
  provide(container, RelayEventInbox, TypeormRelayEventInbox, Database);
  provide(container, BounceLog, TypeormBounceLog, Database);
  provideSelf(container, ReceiveRelayEvent, UnitOfWork, RelayEventInbox, JobQueue, Clock, Meters);
  provideSelf(container, BlockBouncingDomain, UnitOfWork, DomainRepository, Notifier, AuditLog, Meters, constant(rule));
  provideSelf(
    container,
    CountRelayEvents,
    RelayEventInbox,
    BounceLog,
    DomainRepository,
    OutboundLedger,
    BlockBouncingDomain,
    AuditLog,
  );
  provideSelf(container, ProcessRelayEvents, UnitOfWork, RelayEventInbox, CountRelayEvents, JobQueue, Clock);
  provideSelf(container, PurgeRelayEvents, RelayEventInbox, BounceLog, DatabaseClock);
  provideSelf(container, RetryRelayEvents, UnitOfWork, RelayEventInbox, JobQueue, Clock);
}
