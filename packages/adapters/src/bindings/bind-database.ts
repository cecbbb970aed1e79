import { AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { ForwardingSwitch } from '@mailstead/core/aliases/forwarding-switch';
import { ApiKeyRepository, UsageReader } from '@mailstead/core/api-keys/api-key-repository';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { RowCounts } from '@mailstead/core/counts/row-counts';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { TombstoneRepository } from '@mailstead/core/domains/tombstone-repository';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { Meters } from '@mailstead/core/meters';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { IdempotencyStore } from '@mailstead/core/operators/idempotency-store';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { Container } from 'inversify';
import { type Config } from '../config.js';
import { TypeormAliasRepository } from '../database/alias-repository.js';
import { TypeormApiKeyRepository } from '../database/api-key-repository.js';
import { TypeormAuditLog } from '../database/audit-log.js';
import { TypeormDomainRepository } from '../database/domain-repository.js';
import { Database } from '../database/driver/database.js';
import { TypeormUnitOfWork } from '../database/driver/typeorm-unit-of-work.js';
import { TypeormIdempotencyStore } from '../database/idempotency-store.js';
import { InstallationForwarding } from '../database/installation-forwarding.js';
import { LastUsedStamps } from '../database/last-used-stamps.js';
import { TypeormMailboxRepository } from '../database/mailbox-repository.js';
import { TypeormNotifier } from '../database/notification-outbox.js';
import { TypeormPartnerRepository } from '../database/partner-repository.js';
import { TypeormRowCounts } from '../database/row-counts.js';
import { TypeormTombstoneRepository } from '../database/tombstones/tombstone-repository.js';
import { TypeormUsageReader } from '../database/usage-reader.js';
import { TypeormVerificationRepository } from '../database/verification-repository.js';
import { constant, provide, provideSelf } from '../provide.js';

/** Binds the ports that the database implements. */
export function bindDatabase(container: Container, config: Readonly<Config>): void {
  provide(container, UnitOfWork, TypeormUnitOfWork, Database);
  provideSelf(container, LastUsedStamps, Database);
  provide(container, PartnerRepository, TypeormPartnerRepository, Database);
  provide(container, RowCounts, TypeormRowCounts, Database);
  provide(container, ApiKeyRepository, TypeormApiKeyRepository, Database, LastUsedStamps, Meters);
  provide(container, UsageReader, TypeormUsageReader, Database);
  provide(container, DomainRepository, TypeormDomainRepository, Database);
  provide(container, VerificationRepository, TypeormVerificationRepository, Database);
  provide(container, TombstoneRepository, TypeormTombstoneRepository, Database);
  provide(container, MailboxRepository, TypeormMailboxRepository, Database);
  provide(container, AliasRepository, TypeormAliasRepository, Database);
  provide(container, ForwardingSwitch, InstallationForwarding, Database);
  provide(container, AuditLog, TypeormAuditLog, Database);
  provide(container, IdempotencyStore, TypeormIdempotencyStore, Database, UnitOfWork, constant(config.secretKey));
  provide(container, Notifier, TypeormNotifier, Database, JobQueue, constant({ names: channelNames(config) }));
}

function channelNames({ notifyWebhookUrl, notifySmtpUrl }: Readonly<Config>): string[] {
  return [...(notifyWebhookUrl === null ? [] : ['webhook']), ...(notifySmtpUrl === null ? [] : ['email'])];
}
