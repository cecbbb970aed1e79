import { AliasDestinations } from '@mailstead/core/aliases/alias-destinations';
import { AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock, DatabaseClock } from '@mailstead/core/clock';
import { DomainAdmission } from '@mailstead/core/domains/domain-admission';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { TombstoneRepository } from '@mailstead/core/domains/tombstone-repository';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { StorageQuotaRule } from '@mailstead/core/mailboxes/storage-quota-rule';
import { TierRepository } from '@mailstead/core/outbound/tier-repository';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { RandomSource } from '@mailstead/core/random-source';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import { DeletedItems } from '@mailstead/core/restoration/deleted-items';
import { EraseDeleted } from '@mailstead/core/restoration/erase-deleted';
import { RestoreAliases } from '@mailstead/core/restoration/restore-aliases';
import { RestoreDeleted } from '@mailstead/core/restoration/restore-deleted';
import { RestoreDomain } from '@mailstead/core/restoration/restore-domain';
import { RestoreMailbox } from '@mailstead/core/restoration/restore-mailbox';
import { DeletedRows } from '@mailstead/core/retention/deleted-rows';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { UsageLedger } from '@mailstead/core/usage/usage-ledger';
import type { Container } from 'inversify';
import type { Config } from '../config.js';
import { constant, provideSelf } from '../provide.js';

/** Binds the use cases that restore or erase deleted domains and mailboxes. */
export function bindRestoration(container: Container, config: Readonly<Config>): void {
  provideSelf(container, RestoreAliases, DeletedItems, AliasDestinations);
  provideSelf(
    container,
    RestoreDomain,
    DomainAdmission,
    DomainRepository,
    VerificationRepository,
    TombstoneRepository,
    TierRepository,
    DeletedItems,
    RestoreAliases,
    StorageQuotaRule,
    JobQueue,
    AuditLog,
    RandomSource,
    constant({ ownershipRequired: config.ownershipRequired }),
  );
  provideSelf(
    container,
    RestoreMailbox,
    DomainRepository,
    MailboxRepository,
    AliasRepository,
    DeletedItems,
    RestoreAliases,
    StorageQuotaRule,
    UsageLedger,
    AuditLog,
  );
  provideSelf(
    container,
    RestoreDeleted,
    UnitOfWork,
    PartnerRepository,
    DeletedItems,
    RestoreDomain,
    RestoreMailbox,
    Clock,
  );
  provideSelf(container, EraseDeleted, UnitOfWork, DeletedItems, DeletedRows, JobQueue, AuditLog, DatabaseClock);
}
