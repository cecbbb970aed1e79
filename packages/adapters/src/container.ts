import 'reflect-metadata';
import { AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { CreateAlias } from '@mailstead/core/aliases/create-alias';
import { DeleteAlias } from '@mailstead/core/aliases/delete-alias';
import { ApiKeyRepository, UsageReader } from '@mailstead/core/api-keys/api-key-repository';
import { CreateApiKey } from '@mailstead/core/api-keys/create-api-key';
import { DeleteApiKey } from '@mailstead/core/api-keys/delete-api-key';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import { UpdateApiKey } from '@mailstead/core/api-keys/update-api-key';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock, HOUR_MS } from '@mailstead/core/clock';
import { ChangeDomain } from '@mailstead/core/domains/change-domain';
import { CreateDomain } from '@mailstead/core/domains/create-domain';
import { DeleteDomain } from '@mailstead/core/domains/delete-domain';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { MoveDomain } from '@mailstead/core/domains/move-domain';
import { SetInbound, SetRetention, SetTransferCap } from '@mailstead/core/domains/set-domain-limits';
import { SetParent } from '@mailstead/core/domains/set-parent';
import { ActivateDomain, SuspendDomain } from '@mailstead/core/domains/suspend-domain';
import { TombstoneRepository } from '@mailstead/core/domains/tombstone';
import { JobQueue } from '@mailstead/core/jobs';
import { ChangeMailbox } from '@mailstead/core/mailboxes/change-mailbox';
import { CreateMailbox } from '@mailstead/core/mailboxes/create-mailbox';
import { DeleteMailbox } from '@mailstead/core/mailboxes/delete-mailbox';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import { StorageQuotaRule } from '@mailstead/core/mailboxes/storage-quota-rule';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import { IdempotencyStore } from '@mailstead/core/operators/idempotency-store';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { ChangePlan } from '@mailstead/core/plans/change-plan';
import { RandomSource } from '@mailstead/core/random-source';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { DeleteIdentity } from '@mailstead/core/relay/delete-identity';
import { DnsResolver } from '@mailstead/core/relay/dns-resolver';
import { PollVerifications } from '@mailstead/core/relay/poll-verifications';
import { ReadRelayStatus } from '@mailstead/core/relay/read-relay-status';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { StartVerification } from '@mailstead/core/relay/start-verification';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { Container } from 'inversify';
import { BcryptPasswordHasher } from './bcrypt/bcrypt-password-hasher.js';
import { type Config, operatorTokensOf } from './config.js';
import { CryptoRandomSource } from './crypto/crypto-random-source.js';
import { OperatorTokens } from './crypto/operator-tokens.js';
import { TokenAuthenticator } from './crypto/token-authenticator.js';
import { TypeormAliasRepository } from './database/alias-repository.js';
import { TypeormApiKeyRepository } from './database/api-key-repository.js';
import { TypeormAuditLog } from './database/audit-log.js';
import { Database } from './database/database.js';
import { TypeormDomainRepository } from './database/domain-repository.js';
import { TypeormIdempotencyStore } from './database/idempotency-store.js';
import { LastUsedStamps } from './database/last-used-stamps.js';
import { TypeormMailboxRepository } from './database/mailbox-repository.js';
import { TypeormNotifier } from './database/notification-outbox.js';
import { TypeormPartnerRepository } from './database/partner-repository.js';
import { TypeormTombstoneRepository } from './database/tombstone-repository.js';
import { TypeormUnitOfWork } from './database/typeorm-unit-of-work.js';
import { TypeormUsageReader } from './database/usage-reader.js';
import { TypeormVerificationRepository } from './database/verification-repository.js';
import { constant, provide, provideSelf, type Token } from './provide.js';
import { SystemClock } from './system-clock.js';

/** What a test puts in the place of the real thing. */
export interface Overrides {
  clock?: Clock;
  jobs?: JobQueue;
  relay?: RelayProvider;
  dns?: DnsResolver;
}

/** Wires everything a process needs, once. The database is open and migrated; nothing runs yet. */
export function createContainer(config: Readonly<Config>, database: Database, overrides: Overrides = {}): Container {
  const container = new Container();
  container.bind(Database).toConstantValue(database);
  bindValue(container, Clock, overrides.clock ?? new SystemClock());
  if (overrides.jobs !== undefined) bindValue(container, JobQueue, overrides.jobs);
  if (overrides.relay !== undefined) bindValue(container, RelayProvider, overrides.relay);
  if (overrides.dns !== undefined) bindValue(container, DnsResolver, overrides.dns);
  bindDatabase(container, config);
  bindSecurity(container, config);
  bindPartners(container);
  bindDomains(container, config);
  bindMailboxes(container, config);
  bindRelay(container);
  return container;
}

/** Reads a binding with the type of its token. */
export function resolve<T>(container: Container, token: Token<T>): T {
  return container.get<T>(token as never);
}

function bindValue<T>(container: Container, token: Token<T>, value: T): void {
  container.bind<T>(token as never).toConstantValue(value);
}

function bindDatabase(container: Container, config: Readonly<Config>): void {
  provide(container, UnitOfWork, TypeormUnitOfWork, Database);
  provideSelf(container, LastUsedStamps, Database);
  provide(container, PartnerRepository, TypeormPartnerRepository, Database);
  provide(container, ApiKeyRepository, TypeormApiKeyRepository, Database, LastUsedStamps);
  provide(container, UsageReader, TypeormUsageReader, Database);
  provide(container, DomainRepository, TypeormDomainRepository, Database);
  provide(container, VerificationRepository, TypeormVerificationRepository, Database);
  provide(container, TombstoneRepository, TypeormTombstoneRepository, Database);
  provide(container, MailboxRepository, TypeormMailboxRepository, Database);
  provide(container, AliasRepository, TypeormAliasRepository, Database);
  provide(container, AuditLog, TypeormAuditLog, Database);
  provide(container, IdempotencyStore, TypeormIdempotencyStore, Database, UnitOfWork, constant(config.secretKey));
  provide(container, Notifier, TypeormNotifier, Database, constant({ names: channelNames(config) }));
}

function channelNames({ notifyWebhookUrl, notifySmtpUrl }: Readonly<Config>): string[] {
  return [...(notifyWebhookUrl === null ? [] : ['webhook']), ...(notifySmtpUrl === null ? [] : ['email'])];
}

function bindSecurity(container: Container, config: Readonly<Config>): void {
  provide(container, RandomSource, CryptoRandomSource);
  provideSelf(container, OperatorTokens, constant(operatorTokensOf(config)));
  provide(container, TokenHasher, OperatorTokens, constant(operatorTokensOf(config)));
  provide(container, Authenticator, TokenAuthenticator, OperatorTokens, ApiKeyRepository, Clock);
  provide(container, PasswordHasher, BcryptPasswordHasher, constant(config.bcryptCost));
}

function bindPartners(container: Container): void {
  provideSelf(container, CreateApiKey, UnitOfWork, PartnerRepository, ApiKeyRepository, TokenHasher, AuditLog, Clock);
  provideSelf(container, UpdateApiKey, UnitOfWork, ApiKeyRepository, AuditLog, Clock);
  provideSelf(container, DeleteApiKey, UnitOfWork, ApiKeyRepository, AuditLog, Clock);
}

function bindDomains(container: Container, config: Readonly<Config>): void {
  const retention = constant({ retentionGraceMs: config.retentionGraceHours * HOUR_MS });
  provideSelf(container, ChangeDomain, UnitOfWork, DomainRepository, AuditLog, Clock);
  provideSelf(
    container,
    CreateDomain,
    UnitOfWork,
    PartnerRepository,
    DomainRepository,
    VerificationRepository,
    TombstoneRepository,
    JobQueue,
    AuditLog,
    Clock,
    RandomSource,
    constant({ ownershipRequired: config.ownershipRequired }),
  );
  provideSelf(
    container,
    DeleteDomain,
    UnitOfWork,
    PartnerRepository,
    DomainRepository,
    VerificationRepository,
    TombstoneRepository,
    JobQueue,
    AuditLog,
    Clock,
  );
  provideSelf(
    container,
    MoveDomain,
    UnitOfWork,
    PartnerRepository,
    DomainRepository,
    AliasRepository,
    VerificationRepository,
    JobQueue,
    AuditLog,
    Clock,
  );
  provideSelf(container, SetParent, ChangeDomain, DomainRepository, VerificationRepository, JobQueue);
  provideSelf(container, SetRetention, ChangeDomain, retention);
  provideSelf(container, SetTransferCap, ChangeDomain);
  provideSelf(container, SetInbound, ChangeDomain);
  provideSelf(container, SuspendDomain, ChangeDomain, Notifier);
  provideSelf(container, ActivateDomain, ChangeDomain, Notifier);
  provideSelf(container, ChangePlan, ChangeDomain, MailboxRepository, retention);
}

function bindMailboxes(container: Container, config: Readonly<Config>): void {
  provideSelf(container, StorageQuotaRule, constant({ clientMaxQuotaMb: config.clientMaxQuotaMb }));
  provideSelf(
    container,
    CreateMailbox,
    UnitOfWork,
    PartnerRepository,
    DomainRepository,
    MailboxRepository,
    AliasRepository,
    PasswordHasher,
    StorageQuotaRule,
    AuditLog,
    Clock,
    RandomSource,
  );
  provideSelf(
    container,
    ChangeMailbox,
    UnitOfWork,
    DomainRepository,
    MailboxRepository,
    PasswordHasher,
    StorageQuotaRule,
    AuditLog,
    Clock,
  );
  provideSelf(
    container,
    DeleteMailbox,
    UnitOfWork,
    PartnerRepository,
    DomainRepository,
    MailboxRepository,
    AliasRepository,
    TombstoneRepository,
    AuditLog,
    Clock,
  );
  provideSelf(
    container,
    CreateAlias,
    UnitOfWork,
    PartnerRepository,
    DomainRepository,
    MailboxRepository,
    AliasRepository,
    AuditLog,
    Clock,
    constant({ allowExternalForward: config.allowExternalForward }),
  );
  provideSelf(container, DeleteAlias, UnitOfWork, DomainRepository, AliasRepository, AuditLog, Clock);
}

function bindRelay(container: Container): void {
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
}
