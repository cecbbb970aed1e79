import { AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock, DAY_MS, DatabaseClock, HOUR_MS } from '@mailstead/core/clock';
import { AnnounceLowering } from '@mailstead/core/domains/announce-lowering';
import { ChangeDomain } from '@mailstead/core/domains/change-domain';
import { CreateDomain } from '@mailstead/core/domains/create-domain';
import { DeleteDomain } from '@mailstead/core/domains/delete-domain';
import { DomainAdmission } from '@mailstead/core/domains/domain-admission';
import { DomainLocks } from '@mailstead/core/domains/domain-locks';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { ExpirePendingDomains } from '@mailstead/core/domains/expire-pending-domains';
import { LinksOfDomain } from '@mailstead/core/domains/links-of-domain';
import { MoveDomain } from '@mailstead/core/domains/move-domain';
import { ReleaseChildren } from '@mailstead/core/domains/release-children';
import { RemindRetention } from '@mailstead/core/domains/remind-retention';
import { SetExternalRef, SetInbound, SetRetention, SetTransferCap } from '@mailstead/core/domains/set-domain-limits';
import { SetParent } from '@mailstead/core/domains/set-parent';
import { ActivateDomain, SuspendDomain } from '@mailstead/core/domains/suspend-domain';
import { TombstoneRepository } from '@mailstead/core/domains/tombstone-repository';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { ChangePlan } from '@mailstead/core/plans/change-plan';
import { RandomSource } from '@mailstead/core/random-source';
import { OwnVerification } from '@mailstead/core/relay/own-verification';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { UsageLedger } from '@mailstead/core/usage/usage-ledger';
import { Container } from 'inversify';
import { type Config } from '../config.js';
import { constant, provideSelf } from '../provide.js';
import { reservedNamesOf } from '../reserved-names-of.js';

/** Binds the use cases of domains, their plans and their parents. */
export function bindDomains(container: Container, config: Readonly<Config>): void {
  const deletion = constant({ deletedMailGraceDays: config.deletedMailGraceDays });
  const graces = constant({
    retentionGraceMs: config.retentionGraceHours * HOUR_MS,
    planRetentionGraceMs: config.planRetentionGraceDays * DAY_MS,
  });
  provideSelf(container, DomainLocks, PartnerRepository, DomainRepository, UsageLedger, Clock);
  provideSelf(container, ChangeDomain, UnitOfWork, DomainLocks, DomainRepository, AuditLog, DatabaseClock);
  provideSelf(container, DomainAdmission, DomainRepository, constant(reservedNamesOf(config)));
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
    DomainAdmission,
    constant({ ownershipRequired: config.ownershipRequired }),
  );
  provideSelf(container, AnnounceLowering, Notifier, AuditLog);
  provideSelf(container, OwnVerification, VerificationRepository, JobQueue);
  provideSelf(
    container,
    ReleaseChildren,
    DomainRepository,
    VerificationRepository,
    TombstoneRepository,
    OwnVerification,
  );
  provideSelf(
    container,
    DeleteDomain,
    UnitOfWork,
    DomainLocks,
    PartnerRepository,
    TombstoneRepository,
    ReleaseChildren,
    JobQueue,
    AuditLog,
    DatabaseClock,
    deletion,
  );
  provideSelf(
    container,
    MoveDomain,
    UnitOfWork,
    DomainLocks,
    PartnerRepository,
    DomainRepository,
    AliasRepository,
    VerificationRepository,
    LinksOfDomain,
    TombstoneRepository,
    ReleaseChildren,
    OwnVerification,
    AuditLog,
    DatabaseClock,
  );
  provideSelf(
    container,
    SetParent,
    UnitOfWork,
    DomainLocks,
    ChangeDomain,
    DomainRepository,
    VerificationRepository,
    OwnVerification,
  );
  provideSelf(container, SetRetention, ChangeDomain, AnnounceLowering, graces);
  provideSelf(container, SetTransferCap, ChangeDomain);
  provideSelf(container, SetInbound, ChangeDomain);
  provideSelf(container, SetExternalRef, ChangeDomain);
  provideSelf(container, SuspendDomain, ChangeDomain, Notifier);
  provideSelf(container, ActivateDomain, ChangeDomain, Notifier);
  provideSelf(container, ChangePlan, ChangeDomain, MailboxRepository, AnnounceLowering, graces);
  provideSelf(container, RemindRetention, UnitOfWork, DomainRepository, AnnounceLowering, Clock);
  provideSelf(
    container,
    ExpirePendingDomains,
    UnitOfWork,
    DomainLocks,
    DomainRepository,
    VerificationRepository,
    DeleteDomain,
    Notifier,
    AuditLog,
    DatabaseClock,
    constant({ pendingDomainMs: config.pendingDomainDays * DAY_MS }),
  );
}
