import type { AuditLog } from '../audit/audit-log.js';
import { type Clock, DAY_MS } from '../clock.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import type { TombstoneRepository } from '../domains/tombstone.js';
import { AppError } from '../errors.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import type { PartnerRepository } from '../partners/partner-repository.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { ParsedAddress } from './address.js';
import type { MailboxRepository } from './mailbox-repository.js';

/** Deletes a mailbox and the aliases that deliver to it; their rows and its stored mail stay aside for the grace. */
export class DeleteMailbox {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly domains: DomainRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly options: { deletedMailGraceDays: number },
  ) {}

  /** @throws AppError mailbox_not_found */
  async execute(actor: Actor, { address, domain: domainName }: ParsedAddress): Promise<void> {
    await this.unitOfWork.run(async () => {
      const seen = await this.domains.find(scopeOf(actor), domainName);
      if (seen === null) throw new AppError('mailbox_not_found');
      // Its aliases may stand in other domains of the partner: the partner's lock covers their counts too.
      await this.partners.lock(seen.partnerId);
      const domain = await this.domains.lock(scopeOf(actor), domainName);
      const mailbox = await this.mailboxes.lock(scopeOf(actor), address);
      if (domain === null || mailbox === null) throw new AppError('mailbox_not_found');
      const now = this.clock.now();
      const expiresAt = new Date(now.getTime() + this.options.deletedMailGraceDays * DAY_MS);
      const deletion = { actor, at: now, expiresAt };
      const aliasesRemoved = await this.tombstones.moveMailboxAside(mailbox, domain.partnerId, deletion);
      await this.domains.addToCounts(domain.id, { mailboxes: -1 });
      await this.audit.append(actor, now, {
        action: 'mailbox.delete',
        partnerRef: domain.partnerRef,
        domain: domain.name,
        subject: mailbox.email,
        before: { name: mailbox.name, quota_mb: mailbox.quotaMb, aliases: aliasesRemoved },
      });
    });
  }
}
