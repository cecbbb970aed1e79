import { AliasDestinations } from '@mailstead/core/aliases/alias-destinations';
import { AliasRepository } from '@mailstead/core/aliases/alias-repository';
import { ChangeAlias } from '@mailstead/core/aliases/change-alias';
import { CreateAlias } from '@mailstead/core/aliases/create-alias';
import { DeleteAlias } from '@mailstead/core/aliases/delete-alias';
import { ForwardingSwitch } from '@mailstead/core/aliases/forwarding-switch';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { Clock, DatabaseClock } from '@mailstead/core/clock';
import { DomainLocks } from '@mailstead/core/domains/domain-locks';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { TombstoneRepository } from '@mailstead/core/domains/tombstone-repository';
import { ChangeMailbox } from '@mailstead/core/mailboxes/change-mailbox';
import { CommonPasswordRule, CommonPasswords } from '@mailstead/core/mailboxes/common-password-rule';
import { CreateMailbox } from '@mailstead/core/mailboxes/create-mailbox';
import { DeleteMailbox } from '@mailstead/core/mailboxes/delete-mailbox';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { MailboxUsage, UnknownUsage } from '@mailstead/core/mailboxes/mailbox-usage';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import { StorageQuotaRule } from '@mailstead/core/mailboxes/storage-quota-rule';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { RandomSource } from '@mailstead/core/random-source';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { Container } from 'inversify';
import { type Config } from '../config.js';
import { DovecotUsage } from '../dovecot/dovecot-usage.js';
import { ListedPasswords } from '../passwords/listed-passwords.js';
import { constant, provide, provideSelf } from '../provide.js';

/** Binds the use cases of mailboxes and aliases. */
export function bindMailboxes(container: Container, config: Readonly<Config>): void {
  const { doveadmUrl: url, doveadmApiKey: apiKey } = config;
  if (url !== null && apiKey !== null) provide(container, MailboxUsage, DovecotUsage, constant({ url, apiKey }));
  else provide(container, MailboxUsage, UnknownUsage);
  provide(container, CommonPasswords, ListedPasswords);
  provideSelf(container, CommonPasswordRule, CommonPasswords);
  provideSelf(container, StorageQuotaRule, constant({ clientMaxQuotaMb: config.clientMaxQuotaMb }));
  provideSelf(
    container,
    CreateMailbox,
    UnitOfWork,
    DomainLocks,
    PartnerRepository,
    DomainRepository,
    MailboxRepository,
    AliasRepository,
    TombstoneRepository,
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
    DomainLocks,
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
    DomainLocks,
    DomainRepository,
    MailboxRepository,
    TombstoneRepository,
    AuditLog,
    DatabaseClock,
    constant({ deletedMailGraceDays: config.deletedMailGraceDays }),
  );
  provideSelf(
    container,
    AliasDestinations,
    DomainRepository,
    MailboxRepository,
    AliasRepository,
    ForwardingSwitch,
    constant({ allowExternalForward: config.allowExternalForward }),
  );
  provideSelf(
    container,
    CreateAlias,
    UnitOfWork,
    DomainLocks,
    PartnerRepository,
    DomainRepository,
    MailboxRepository,
    AliasRepository,
    AliasDestinations,
    AuditLog,
    Clock,
  );
  provideSelf(container, ChangeAlias, UnitOfWork, DomainLocks, AliasRepository, AliasDestinations, AuditLog, Clock);
  provideSelf(container, DeleteAlias, UnitOfWork, DomainLocks, AliasRepository, AuditLog, Clock);
}
