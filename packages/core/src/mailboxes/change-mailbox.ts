import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { isChange } from '../audit/is-change.js';
import { Clock, DatabaseClock } from '../clock.js';
import { defined } from '../defined.js';
import { DomainLocks } from '../domains/domain-locks.js';
import { AppError } from '../errors.js';
import { RevokeSessions } from '../mail-sessions/revoke-sessions.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { changeExpected, raiseRevision } from '../operators/revision.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { ParsedAddress } from './address.js';
import type { Mailbox } from './mailbox.js';
import { MailboxRepository } from './mailbox-repository.js';
import { PasswordHasher } from './password-hasher.js';
import { shownMailbox } from './shown-mailbox.js';
import { StorageQuotaRule } from './storage-quota-rule.js';

/** A field that is undefined is not changed. */
export interface MailboxChanges {
  /** A password that has no `passwordProblem`. */
  password?: string | undefined;
  name?: string | null | undefined;
  active?: boolean | undefined;
  quotaMb?: number | undefined;
  outboundDailyLimit?: number | undefined;
  externalRef?: string | null | undefined;
}

@needs(
  UnitOfWork,
  DomainLocks,
  MailboxRepository,
  PasswordHasher,
  StorageQuotaRule,
  RevokeSessions,
  AuditLog,
  Clock,
  DatabaseClock,
)
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
    private readonly databaseClock: DatabaseClock,
  ) {}

  /**
   * Nothing is written when no field gets another value. A password always counts as another one, but open sessions go
   * on when it is the one that the mailbox has.
   *
   * @param signal aborted when the caller no longer waits
   * @throws AppError mailbox_not_found, changed_meanwhile, storage_quota_above_plan, and the errors of
   * `PasswordHasher`
   */
  async execute(
    actor: Actor,
    { address, domain: domainName }: ParsedAddress,
    changes: MailboxChanges,
    signal: AbortSignal,
  ): Promise<Mailbox> {
    const known = await this.mailboxes.find(scopeOf(actor), address);
    if (known === null) throw new AppError('mailbox_not_found');
    const { password, ...rest } = changes;
    let passwordHash: string | undefined;
    let isSamePassword = true;
    if (password !== undefined) {
      const hashed = await this.passwords.hashInPlaceOf(scopeOf(actor), known.passwordHash, password, signal);
      ({ hash: passwordHash, isSame: isSamePassword } = hashed);
    }
    let isRevoked = false;
    const changed = await this.unitOfWork.run(async () => {
      const domain = await this.locks.domainAlone(actor, domainName, 'mailbox_not_found');
      const mailbox = await this.mailboxes.lock(scopeOf(actor), address);
      if (mailbox === null) throw new AppError('mailbox_not_found');
      await changeExpected(actor, mailbox, () => {
        if (rest.quotaMb !== undefined) this.storageQuota.check(actor, domain.plan, rest.quotaMb);
      });
      const before = shownMailbox(mailbox);
      const keepsPassword = isSamePassword && (password === undefined || mailbox.passwordHash === known.passwordHash);
      isRevoked = !keepsPassword || (mailbox.active && rest.active === false);
      Object.assign(mailbox, defined({ ...rest, passwordHash }));
      const after = { ...shownMailbox(mailbox), ...(passwordHash === undefined ? {} : { password: 'changed' }) };
      if (!isChange({ before, after })) return mailbox;
      // A repeat with the same password, after a lost answer, changes nothing that its caller could have missed.
      if (!keepsPassword || isChange({ before, after: shownMailbox(mailbox) })) raiseRevision(actor, mailbox);
      if (isRevoked) mailbox.revokedAt = await this.databaseClock.time();
      await this.mailboxes.save(mailbox);
      if (isRevoked) await this.revokeSessions.of(mailbox.email, domain.id, actor);
      const entry = aboutDomain(domain, 'mailbox.update', { subject: mailbox.email, before, after });
      await this.audit.append(actor, this.clock.now(), entry);
      return mailbox;
    });
    // A login that began before the commit may have been checked with the former password.
    if (isRevoked) await this.mailboxes.noteRevoked(changed, await this.databaseClock.time());
    return changed;
  }
}
