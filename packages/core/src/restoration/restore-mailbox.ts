import type { Alias } from '../aliases/alias.js';
import { AliasRepository } from '../aliases/alias-repository.js';
import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import type { Domain } from '../domains/domain.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { AppError } from '../errors.js';
import type { Address } from '../mailboxes/address.js';
import { MailboxRepository } from '../mailboxes/mailbox-repository.js';
import { StorageQuotaRule } from '../mailboxes/storage-quota-rule.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { isFull } from '../partners/limit.js';
import type { Partner } from '../partners/partner.js';
import { UsageLedger } from '../usage/usage-ledger.js';
import type { DeletedItem } from './deleted-item.js';
import { DeletedItems } from './deleted-items.js';
import { RestoreAliases } from './restore-aliases.js';
import { RestoreStrategy } from './restore-strategy.js';

/** Restores a mailbox into its domain, which must be the same row as at the deletion. */
@needs(
  DomainRepository,
  MailboxRepository,
  AliasRepository,
  DeletedItems,
  RestoreAliases,
  StorageQuotaRule,
  UsageLedger,
  AuditLog,
)
export class RestoreMailbox extends RestoreStrategy {
  constructor(
    private readonly domains: DomainRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly aliases: AliasRepository,
    private readonly deleted: DeletedItems,
    private readonly restoreAliases: RestoreAliases,
    private readonly storageQuota: StorageQuotaRule,
    private readonly usage: UsageLedger,
    private readonly audit: AuditLog,
  ) {
    super();
  }

  override async execute(actor: Actor, partner: Partner, item: DeletedItem, now: Date): Promise<Alias[]> {
    const domain = await this.domains.lockById(item.domainId);
    if (domain === null || domain.partnerId !== partner.id) throw new AppError('domain_not_found');
    await this.refuse(actor, item, domain);
    await this.usage.openDay(domain, now);
    const maxQuotaMb = actor.kind === 'client' ? this.storageQuota.clientMaximum(domain.plan) : null;
    const restoredAt = partner.stampCreation(now);
    await this.deleted.restoreMailboxes(item, { restoredAt, maxQuotaMb });
    await this.domains.addToCounts(domain.id, { mailboxes: 1 });
    const { restored, leftOut } = await this.restoreAliases.execute(item, restoredAt);
    await this.audit.append(
      actor,
      now,
      aboutDomain(
        { id: domain.id, name: domain.name, partnerId: partner.id, partnerRef: partner.ref },
        'mailbox.restore',
        {
          subject: item.name,
          after: { aliases: restored, left_out: leftOut.length },
        },
      ),
    );
    return leftOut;
  }

  override async stillExists({ name, domainId }: DeletedItem): Promise<boolean> {
    const mailbox = await this.mailboxes.find('all', name as Address);
    return mailbox !== null && mailbox.domainId === domainId && mailbox.restoredAt !== null;
  }

  private async refuse(actor: Actor, { name }: DeletedItem, domain: Domain): Promise<void> {
    if ((await this.mailboxes.find('all', name as Address)) !== null) throw new AppError('mailbox_exists');
    if ((await this.aliases.ofAddress('all', name)).length > 0) throw new AppError('address_in_use');
    if (actor.kind === 'client' && isFull(actor.limits.mailboxesPerDomain, domain.mailboxCount)) {
      const members = { limit: actor.limits.mailboxesPerDomain, used: domain.mailboxCount };
      throw new AppError('mailbox_quota_exceeded', { members });
    }
  }
}
