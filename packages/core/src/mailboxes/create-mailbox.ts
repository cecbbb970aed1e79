import { AliasRepository } from '../aliases/alias-repository.js';
import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock, DatabaseClock } from '../clock.js';
import { type Domain, isEmpty } from '../domains/domain.js';
import { DomainLocks } from '../domains/domain-locks.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { TombstoneRepository } from '../domains/tombstone-repository.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { isFull } from '../partners/limit.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { RandomSource } from '../random-source.js';
import { PlanLooks } from '../relay/looks/plan-looks.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { ParsedAddress } from './address.js';
import { Mailbox } from './mailbox.js';
import { MailboxRepository } from './mailbox-repository.js';
import { PasswordHasher } from './password-hasher.js';
import { shownNewMailbox } from './shown-mailbox.js';
import { StorageQuotaRule } from './storage-quota-rule.js';

export interface CreateMailboxCommand {
  address: ParsedAddress;
  /** A password that has no `passwordProblem`, or a hash of another system that has no `passwordHashProblem`. */
  secret: { password: string } | { passwordHash: string };
  name: string | null;
  /** Megabytes. Undefined: the plan's default. */
  quotaMb: number | undefined;
  /**
   * Messages a UTC day. Undefined: the limit of the partner's last deleted mailbox with that address, otherwise 0
   * (unlimited).
   */
  outboundDailyLimit: number | undefined;
  /** A reference of the partner's own system. */
  externalRef: string | null;
}

/** The command with the password's hash in place of the password. */
export type PreparedMailbox = Omit<CreateMailboxCommand, 'secret'> & { passwordHash: string };

@needs(
  UnitOfWork,
  DomainLocks,
  PartnerRepository,
  DomainRepository,
  MailboxRepository,
  AliasRepository,
  TombstoneRepository,
  PasswordHasher,
  StorageQuotaRule,
  PlanLooks,
  AuditLog,
  Clock,
  DatabaseClock,
  RandomSource,
)
export class CreateMailbox {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly partners: PartnerRepository,
    private readonly domains: DomainRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly aliases: AliasRepository,
    private readonly tombstones: TombstoneRepository,
    private readonly passwords: PasswordHasher,
    private readonly storageQuota: StorageQuotaRule,
    private readonly looks: PlanLooks,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
    private readonly random: RandomSource,
  ) {}

  /**
   * Hashes the password, unless the mailbox cannot be created. Hashing is slow, so this runs outside any transaction. A
   * hash is taken as it is: `execute` does all checks.
   *
   * @param signal aborted when the caller no longer waits
   * @throws AppError domain_not_found, mailbox_exists, address_in_use, mailbox_quota_exceeded,
   * storage_quota_above_plan, and the errors of `PasswordHasher.hash`
   */
  async prepare(actor: Actor, command: CreateMailboxCommand, signal: AbortSignal): Promise<PreparedMailbox> {
    const { secret, ...rest } = command;
    if ('passwordHash' in secret) return { ...rest, passwordHash: secret.passwordHash };
    const domain = await this.domains.find(scopeOf(actor), command.address.domain);
    if (domain === null) throw new AppError('domain_not_found');
    await this.refuse(actor, command, domain);
    return { ...rest, passwordHash: await this.passwords.hash(scopeOf(actor), secret.password, signal) };
  }

  /**
   * Repeats the checks under the locks and creates the mailbox.
   * @throws AppError domain_not_found, mailbox_exists, address_in_use, mailbox_quota_exceeded, storage_quota_above_plan
   */
  execute(actor: Actor, command: PreparedMailbox): Promise<Mailbox> {
    return this.unitOfWork.run(async () => {
      const { partner, domain } = await this.locks.domain(actor, command.address.domain);
      await this.refuse(actor, command, domain);
      const now = this.clock.now();
      const mailbox = await this.mailboxes.add(
        Mailbox.create({
          domainId: domain.id,
          email: command.address.address,
          localPart: command.address.localPart,
          name: command.name,
          passwordHash: command.passwordHash,
          quotaMb: command.quotaMb ?? this.storageQuota.initial(actor, domain.plan),
          outboundDailyLimit:
            command.outboundDailyLimit ??
            (await this.tombstones.lastDailyLimit(command.address.address, partner.id)) ??
            0,
          externalRef: command.externalRef,
          home: this.random.hex(16),
          createdAt: partner.stampCreation(now),
          revokedAt: await this.databaseClock.time(),
        }),
      );
      await this.domains.addToCounts(domain.id, { mailboxes: 1 });
      await this.partners.save(partner);
      const change = { subject: mailbox.email, after: shownNewMailbox(mailbox) };
      await this.audit.append(actor, now, aboutDomain(domain, 'mailbox.create', change));
      if (isEmpty(domain)) await this.looks.afterChange(domain.id);
      return mailbox;
    });
  }

  private async refuse(
    actor: Actor,
    { address, quotaMb }: Pick<CreateMailboxCommand, 'address' | 'quotaMb'>,
    domain: Domain,
  ): Promise<void> {
    if ((await this.mailboxes.find('all', address.address)) !== null) throw new AppError('mailbox_exists');
    if ((await this.aliases.ofAddress('all', address.address)).length > 0) throw new AppError('address_in_use');
    if (actor.kind === 'client' && isFull(actor.limits.mailboxesPerDomain, domain.mailboxCount)) {
      const members = { limit: actor.limits.mailboxesPerDomain, used: domain.mailboxCount };
      throw new AppError('mailbox_quota_exceeded', { members });
    }
    if (quotaMb !== undefined) this.storageQuota.check(actor, domain.plan, quotaMb);
  }
}
