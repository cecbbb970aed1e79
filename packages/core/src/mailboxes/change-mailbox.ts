import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { isChange } from '../audit/is-change.js';
import { Clock } from '../clock.js';
import { defined } from '../defined.js';
import { DomainLocks } from '../domains/domain-locks.js';
import { AppError } from '../errors.js';
import { RevokeSessions } from '../mail-sessions/revoke-sessions.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { ParsedAddress } from './address.js';
import type { Mailbox } from './mailbox.js';
import { MailboxRepository } from './mailbox-repository.js';
import { PasswordHasher } from './password-hasher.js';
import { shownMailbox } from './shown-mailbox.js';
import { StorageQuotaRule } from './storage-quota-rule.js';

/** A field that is undefined is not changed. */
export interface MailboxChanges {
  /** A password that passed `checkPassword`. */
  password?: string | undefined;
  name?: string | null | undefined;
  active?: boolean | undefined;
  quotaMb?: number | undefined;
  outboundDailyLimit?: number | undefined;
  externalRef?: string | null | undefined;
}

@needs(UnitOfWork, DomainLocks, MailboxRepository, PasswordHasher, StorageQuotaRule, RevokeSessions, AuditLog, Clock)
export class ChangeMailbox {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly mailboxes: MailboxRepository,
    private readonly passwords: PasswordHasher,
    private readonly storageQuota: StorageQuotaRule,
    private readonly revokeSessions: RevokeSessions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Nothing is written when no field gets another value. A password always counts as another one.
   *
   * @param signal aborted when the caller no longer waits
   * @throws AppError mailbox_not_found, storage_quota_above_plan, and the errors of `PasswordHasher.hash`
   */
  async execute(
    actor: Actor,
    { address, domain: domainName }: ParsedAddress,
    changes: MailboxChanges,
    signal: AbortSignal,
  ): Promise<Mailbox> {
    if ((await this.mailboxes.find(scopeOf(actor), address)) === null) throw new AppError('mailbox_not_found');
    const { password, ...rest } = changes;
    const passwordHash =
      password === undefined ? undefined : await this.passwords.hash(scopeOf(actor), password, signal);
    return this.unitOfWork.run(async () => {
      const domain = await this.locks.domainAlone(actor, domainName, 'mailbox_not_found');
      const mailbox = await this.mailboxes.lock(scopeOf(actor), address);
      if (mailbox === null) throw new AppError('mailbox_not_found');
      if (rest.quotaMb !== undefined) this.storageQuota.check(actor, domain.plan, rest.quotaMb);
      const before = shownMailbox(mailbox);
      const isRevoked = passwordHash !== undefined || (mailbox.active && rest.active === false);
      Object.assign(mailbox, defined({ ...rest, passwordHash }));
      const after = { ...shownMailbox(mailbox), ...(passwordHash === undefined ? {} : { password: 'changed' }) };
      if (!isChange({ before, after })) return mailbox;
      await this.mailboxes.save(mailbox);
      if (isRevoked) await this.revokeSessions.of(mailbox.email, domain.id, actor);
      const entry = aboutDomain(domain, 'mailbox.update', { subject: mailbox.email, before, after });
      await this.audit.append(actor, this.clock.now(), entry);
      return mailbox;
    });
  }
}
