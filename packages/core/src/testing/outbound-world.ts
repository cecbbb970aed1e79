import type { AliasRepository } from '../aliases/alias-repository.js';
import type { AttentionList } from '../attention/attention-list.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import type { TombstoneRepository } from '../domains/tombstone-repository.js';
import type { Address } from '../mailboxes/address.js';
import { Mailbox } from '../mailboxes/mailbox.js';
import type { MailboxRepository } from '../mailboxes/mailbox-repository.js';
import { SilentMeters } from '../meters.js';
import type { NotificationType } from '../notifications/notification-channel.js';
import { type NotifiedDomain, Notifier } from '../notifications/notifier.js';
import { systemActor } from '../operators/actor.js';
import { AnnounceLimits } from '../outbound/announce-limits.js';
import { CountOutbound } from '../outbound/count-outbound.js';
import type { IncrementAnswer } from '../outbound/outbound-answer.js';
import type { Increment } from '../outbound/outbound-batch.js';
import type { OutboundLedger } from '../outbound/outbound-ledger.js';
import type { OutboundPeriods } from '../outbound/outbound-periods.js';
import type { OutboundReader } from '../outbound/outbound-reader.js';
import { ResetDaily, ResetMonthly } from '../outbound/reset-outbound.js';
import type { TierRepository } from '../outbound/tier-repository.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerRepository } from '../partners/partner-repository.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import type { RelayStates } from '../relay/relay-state.js';
import type { Verification } from '../relay/verification.js';
import type { VerificationRepository } from '../relay/verification-repository.js';
import type { Suppressions } from '../suppressions/suppressions.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { aDomain, aVerification } from './builders.js';
import { FixedClock } from './fixed-clock.js';
import { IdleJobQueue } from './idle-job-queue.js';
import { SilentRelayTraffic } from './silent-relay-traffic.js';

/** The ports of one process on one database. */
export interface OutboundPorts {
  unitOfWork: UnitOfWork;
  partners: PartnerRepository;
  domains: DomainRepository;
  verifications: VerificationRepository;
  mailboxes: MailboxRepository;
  aliases: AliasRepository;
  audit: AuditLog;
  ledger: OutboundLedger;
  relayStates: RelayStates;
  attention: AttentionList;
  periods: OutboundPeriods;
  reader: OutboundReader;
  tiers: TierRepository;
  tombstones: TombstoneRepository;
  suppressions: Suppressions;
}

/** Stores the notifications for the test. */
class NotedNotifications extends Notifier {
  readonly noted: { type: NotificationType; domain: string | null; data: Record<string, unknown> }[] = [];

  override async notify(
    type: NotificationType,
    about: NotifiedDomain | null,
    _at: Date,
    data: Record<string, unknown> = {},
  ): Promise<void> {
    this.noted.push({ type, domain: about?.name ?? null, data });
  }
}

/** A database with domains that send. Its methods create domains, send mail for them, and read the counters. */
export class OutboundWorld {
  readonly clock = new FixedClock();
  /** A test may change the set. */
  readonly relay: { configurationSet: string | null; tenants: null } = { configurationSet: null, tenants: null };
  readonly notifier = new NotedNotifications();
  readonly announceLimits: AnnounceLimits;
  readonly countOutbound: CountOutbound;
  readonly resetDaily: ResetDaily;
  readonly resetMonthly: ResetMonthly;
  private made = 0;

  constructor(readonly ports: OutboundPorts) {
    const { unitOfWork, ledger, periods, audit, attention } = ports;
    this.announceLimits = new AnnounceLimits(this.notifier, audit, attention);
    this.countOutbound = new CountOutbound(
      unitOfWork,
      ledger,
      this.announceLimits,
      this.clock,
      new SilentMeters(),
      new SilentRelayTraffic(),
      this.relay,
      new RestoreGate(),
    );
    this.resetDaily = new ResetDaily(unitOfWork, periods, audit, this.clock);
    this.resetMonthly = new ResetMonthly(unitOfWork, periods, new IdleJobQueue(), audit, this.clock, this.clock);
  }

  /** Deletes the domain, alone or inside a unit of work. */
  delete(domain: Domain): Promise<void> {
    const at = this.clock.now();
    return this.ports.unitOfWork.run(() =>
      this.ports.tombstones.moveDomainAside(domain, { actor: systemActor('tests'), at, expiresAt: at }),
    );
  }

  /** Creates a verified domain of partner `acme` with a new name and the given fields. */
  async domain(fields: Partial<Domain> = {}, verification: Partial<Verification> = {}): Promise<Domain> {
    this.made += 1;
    const name = `d${this.made}.${Math.random().toString(36).slice(2, 10)}.example` as DomainName;
    return this.ports.unitOfWork.run(async () => {
      const partner = await this.ports.partners.lockOrCreate('acme' as PartnerRef);
      const domain = await this.ports.domains.add(
        aDomain({ name, partnerId: partner.id, partnerRef: partner.ref, ...fields }),
      );
      await this.ports.verifications.add(aVerification({ domainId: domain.id, status: 'verified', ...verification }));
      return domain;
    });
  }

  mailbox(domain: Domain, localPart: string, outboundDailyLimit: number): Promise<Mailbox> {
    return this.ports.unitOfWork.run(() =>
      this.ports.mailboxes.add(
        Mailbox.create({
          domainId: domain.id,
          email: `${localPart}@${domain.name}` as Address,
          localPart,
          name: null,
          passwordHash: '*',
          quotaMb: 0,
          outboundDailyLimit,
          home: 'f'.repeat(32),
          createdAt: this.clock.now(),
          revokedAt: null,
        }),
      ),
    );
  }

  async send(domain: Pick<Domain, 'name'>, fields: Partial<Increment> = {}): Promise<IncrementAnswer> {
    const outcome = await this.countOutbound.execute(anIncrement(domain, fields));
    if ('refused' in outcome) throw new Error(`The message was refused: ${outcome.refused}`);
    return outcome;
  }

  live({ id, bounceWindowStart }: Domain) {
    return this.ports.reader.live(id, bounceWindowStart, this.clock.now());
  }

  history({ id }: Domain) {
    return this.ports.reader.history(id, { before: Number.MAX_SAFE_INTEGER, limit: 1_000 });
  }

  senders({ id }: Domain) {
    return this.ports.reader.senders(id, 'all', { from: 0, limit: 1_000 }, this.clock.now());
  }
}

export function anIncrement(domain: Pick<Domain, 'name'>, fields: Partial<Increment> = {}): Increment {
  const plain = { recipients: null, claims: [], fingerprint: null, session: null, forwarded: false };
  return { domain: domain.name, count: 1, bytes: 0, sender: null, id: null, alreadySent: false, ...plain, ...fields };
}
