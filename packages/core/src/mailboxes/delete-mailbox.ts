import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { DAY_MS, DatabaseClock } from '../clock.js';
import { DomainLocks } from '../domains/domain-locks.js';
import { DomainOptions } from '../domains/domain-options.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { TombstoneRepository } from '../domains/tombstone-repository.js';
import { AppError } from '../errors.js';
import { RevokeSessions } from '../mail-sessions/revoke-sessions.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { ParsedAddress } from './address.js';
import { MailboxRepository } from './mailbox-repository.js';

/**
 * Deletes a mailbox and the aliases that deliver to it. A copy of the rows and the stored mail are kept for
 * `deletedMailGraceDays`.
 */
@needs(
  UnitOfWork,
  DomainLocks,
  DomainRepository,
  MailboxRepository,
  TombstoneRepository,
  RevokeSessions,
  AuditLog,
  DatabaseClock,
  DomainOptions,
)
export class DeleteMailbox {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly domains: DomainRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly revokeSessions: RevokeSessions,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
    private readonly options: { deletedMailGraceDays: number },
  ) {}

  /** @throws AppError mailbox_not_found */
  async execute(actor: Actor, { address, domain: domainName }: ParsedAddress): Promise<void> {
    await this.unitOfWork.run(async () => {
      // Aliases of other domains may deliver to the mailbox. The partner's lock protects the counts of those domains
      // too.
      const { domain } = await this.locks.domain(actor, domainName, 'mailbox_not_found');
      const mailbox = await this.mailboxes.lock(scopeOf(actor), address);
      if (mailbox === null) throw new AppError('mailbox_not_found');
      const now = await this.clock.time();
      const expiresAt = new Date(now.getTime() + this.options.deletedMailGraceDays * DAY_MS);
      const deletion = { actor, at: now, expiresAt };
      const aliasesRemoved = await this.tombstones.moveMailboxAside(mailbox, domain.partnerId, deletion);
      await this.domains.addToCounts(domain.id, { mailboxes: -1 });
      await this.revokeSessions.of(mailbox.email, domain.id, actor);
      await this.audit.append(
        actor,
        now,
        aboutDomain(domain, 'mailbox.delete', {
          subject: mailbox.email,
          before: { name: mailbox.name, quota_mb: mailbox.quotaMb, aliases: aliasesRemoved },
        }),
      );
    });
  }
}
