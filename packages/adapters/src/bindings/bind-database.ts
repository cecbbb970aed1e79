import { AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { ForwardingSwitch } from '@mailstead/core/aliases/forwarding-switch';
import { ApiKeyRepository, UsageReader } from '@mailstead/core/api-keys/api-key-repository';
import { AttentionList } from '@mailstead/core/attention/attention-list';
import { Clock } from '@mailstead/core/clock';
import { RowCounts } from '@mailstead/core/counts/row-counts';
import { DomainFinder } from '@mailstead/core/domains/domain-finder';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { LinksOfDomain } from '@mailstead/core/domains/links-of-domain';
import { TombstoneRepository } from '@mailstead/core/domains/tombstone-repository';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { Meters } from '@mailstead/core/meters';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { IdempotencyStore } from '@mailstead/core/operators/idempotency-store';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { PortalLinkRepository } from '@mailstead/core/portal-links/portal-link-repository';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import { DeletedItems } from '@mailstead/core/restoration/deleted-items';
import { SessionRepository } from '@mailstead/core/sessions/session-repository';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { UsageReport } from '@mailstead/core/usage/usage-report';
import { Container } from 'inversify';
import { type Config } from '../config.js';
import { TypeormAliasRepository } from '../database/alias-repository.js';
import { TypeormApiKeyRepository } from '../database/api-key-repository.js';
import { TypeormDomainRepository } from '../database/domain-repository.js';
import { Database } from '../database/driver/database.js';
import { TypeormUnitOfWork } from '../database/driver/typeorm-unit-of-work.js';
import { SqlAttentionList } from '../database/finding/attention-list.js';
import { SqlDomainFinder } from '../database/finding/domain-finder.js';
import { TypeormIdempotencyStore } from '../database/idempotency-store.js';
import { InstallationForwarding } from '../database/installation-forwarding.js';
import { LastUsedStamps } from '../database/last-used-stamps.js';
import { TypeormMailboxRepository } from '../database/mailbox-repository.js';
import { TypeormNotifier } from '../database/notification-outbox.js';
import { TypeormPartnerRepository } from '../database/partner-repository.js';
import { TypeormPortalLinkRepository } from '../database/portal-link-repository.js';
import { TypeormRowCounts } from '../database/row-counts.js';
import { TypeormSessionRepository } from '../database/session-repository.js';
import { TypeormDeletedItems } from '../database/tombstones/deleted-items.js';
import { TypeormTombstoneRepository } from '../database/tombstones/tombstone-repository.js';
import { SqlUsageReport } from '../database/usage/usage-report.js';
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
  provide(container, SessionRepository, TypeormSessionRepository, Database, LastUsedStamps, Clock, Meters);
  provide(container, PortalLinkRepository, TypeormPortalLinkRepository, Database, Clock);
  provide(container, LinksOfDomain, TypeormPortalLinkRepository, Database, Clock);
  provide(container, UsageReader, TypeormUsageReader, Database);
  provide(container, UsageReport, SqlUsageReport, Database);
  provide(container, DomainRepository, TypeormDomainRepository, Database);
  provide(container, AttentionList, SqlAttentionList, Database);
  provide(container, DomainFinder, SqlDomainFinder, Database);
  provide(container, VerificationRepository, TypeormVerificationRepository, Database);
  provide(container, TombstoneRepository, TypeormTombstoneRepository, Database);
  provide(container, DeletedItems, TypeormDeletedItems, Database);
  provide(container, MailboxRepository, TypeormMailboxRepository, Database);
  provide(container, AliasRepository, TypeormAliasRepository, Database);
  provide(container, ForwardingSwitch, InstallationForwarding, Database);
  provide(container, IdempotencyStore, TypeormIdempotencyStore, Database, UnitOfWork, constant(config.secretKey));
  provide(container, Notifier, TypeormNotifier, Database, JobQueue, constant({ names: channelNames(config) }));
}

function channelNames({ notifyWebhookUrl, notifySmtpUrl }: Readonly<Config>): string[] {
  return [...(notifyWebhookUrl === null ? [] : ['webhook']), ...(notifySmtpUrl === null ? [] : ['email'])];
}
