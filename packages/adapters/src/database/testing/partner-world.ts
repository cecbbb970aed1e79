import { AliasDestinations } from '@mailstead/core/aliases/alias-destinations';
import { CreateAlias } from '@mailstead/core/aliases/create-alias';
import { DeleteAlias } from '@mailstead/core/aliases/delete-alias';
import { ChangeDomain } from '@mailstead/core/domains/change-domain';
import { CreateDomain } from '@mailstead/core/domains/create-domain';
import { DeleteDomain } from '@mailstead/core/domains/delete-domain';
import type { Domain } from '@mailstead/core/domains/domain';
import { DomainAdmission } from '@mailstead/core/domains/domain-admission';
import { DomainLocks } from '@mailstead/core/domains/domain-locks';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { FinishDeletion } from '@mailstead/core/domains/finish-deletion';
import { MoveDomain } from '@mailstead/core/domains/move-domain';
import { ReleaseChildren } from '@mailstead/core/domains/release-children';
import { ReservedNames } from '@mailstead/core/domains/reserved-names';
import { SetParent } from '@mailstead/core/domains/set-parent';
import { NoMailSessions } from '@mailstead/core/mail-sessions/mail-sessions';
import { RevokeSessions } from '@mailstead/core/mail-sessions/revoke-sessions';
import { parseNewAddress } from '@mailstead/core/mailboxes/address';
import { CreateMailbox } from '@mailstead/core/mailboxes/create-mailbox';
import { DeleteMailbox } from '@mailstead/core/mailboxes/delete-mailbox';
import type { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import { StorageQuotaRule } from '@mailstead/core/mailboxes/storage-quota-rule';
import type { Actor } from '@mailstead/core/operators/actor';
import { MarkLimits } from '@mailstead/core/outbound/mark-limits';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { PlanLooks } from '@mailstead/core/relay/looks/plan-looks';
import { OwnVerification } from '@mailstead/core/relay/own-verification';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { IdleJobQueue } from '@mailstead/core/testing/idle-job-queue';
import { CryptoRandomSource } from '../../crypto/crypto-random-source.js';
import type { Database } from '../driver/database.js';
import { SqlDnsLooks } from '../looks/sql-dns-looks.js';
import { TypeormPortalLinkRepository } from '../portal-links/portal-link-repository.js';
import { SqlTenants } from '../tenants/sql-tenants.js';
import { outboundPorts } from './outbound-ports.js';

const MASTER: Actor = { kind: 'master', name: 'master', requestId: null };

/** The tests create mailboxes with a given hash. */
class NoHasher extends PasswordHasher {
  override hash(): Promise<string> {
    throw new Error('Nothing is hashed in these tests');
  }

  override hashInPlaceOf(): Promise<never> {
    throw new Error('Nothing is hashed in these tests');
  }
}

/** A stored count that differs from the number of rows. */
export interface WrongCount {
  subject: string;
  kept: number;
  rows: number;
}

/** Calls, as master, the use cases of one process that change how many domains, mailboxes and aliases a partner has. */
export class PartnerWorld {
  readonly clock = new FixedClock();
  readonly ports: ReturnType<typeof outboundPorts>;
  readonly locks: DomainLocks;
  private readonly jobs = new IdleJobQueue();
  private readonly revokeSessions = new RevokeSessions(new NoMailSessions(), this.jobs, this.clock);
  private made = 0;

  constructor(readonly database: Database) {
    this.ports = outboundPorts(database, this.clock);
    this.locks = new DomainLocks(this.ports.partners, this.ports.domains, this.ports.usage, this.clock);
  }

  /** @returns a name that no other test uses */
  newName(above = 'example'): DomainName {
    this.made += 1;
    return `d${this.made}-${Math.random().toString(36).slice(2, 10)}.${above}` as DomainName;
  }

  createDomain(partnerRef: string, name = this.newName()): Promise<Domain> {
    const { unitOfWork, partners, domains, verifications, tombstones, audit } = this.ports;
    const createDomain = new CreateDomain(
      unitOfWork,
      partners,
      domains,
      verifications,
      tombstones,
      this.jobs,
      this.looks(),
      audit,
      this.clock,
      new CryptoRandomSource(),
      new DomainAdmission(domains, new ReservedNames([], [])),
      { ownershipRequired: false },
    );
    return createDomain.execute(MASTER, { name, partnerRef: partnerRef as PartnerRef, externalRef: null });
  }

  deleteDomain({ name }: Pick<Domain, 'name'>, actor = MASTER): Promise<void> {
    return this.deletion().execute(actor, name);
  }

  deletion(): DeleteDomain {
    const { unitOfWork, partners, domains, tombstones, audit } = this.ports;
    const finishDeletion = new FinishDeletion(
      unitOfWork,
      this.locks,
      partners,
      tombstones,
      this.releaseChildren(),
      this.revokeSessions,
      this.jobs,
      this.clock,
    );
    return new DeleteDomain(
      unitOfWork,
      this.locks,
      domains,
      tombstones,
      finishDeletion,
      this.revokeSessions,
      this.jobs,
      audit,
      this.clock,
      { deletedMailGraceDays: 14 },
    );
  }

  moveDomain({ name }: Pick<Domain, 'name'>, partnerRef: string): Promise<Domain> {
    const { unitOfWork, partners, domains, aliases, verifications, tombstones, audit } = this.ports;
    const moveDomain = new MoveDomain(
      unitOfWork,
      this.locks,
      partners,
      domains,
      aliases,
      verifications,
      new TypeormPortalLinkRepository(this.database, this.clock),
      tombstones,
      this.releaseChildren(),
      new OwnVerification(verifications, this.jobs),
      new SqlTenants(this.database),
      this.revokeSessions,
      this.jobs,
      audit,
      this.clock,
    );
    return moveDomain.execute(MASTER, name, partnerRef as PartnerRef);
  }

  setParent({ name }: Pick<Domain, 'name'>, parent: DomainName): Promise<Domain> {
    const { unitOfWork, domains, verifications, audit } = this.ports;
    const changeDomain = new ChangeDomain(unitOfWork, this.locks, domains, audit, this.clock, this.marks(), this.jobs);
    const ownVerification = new OwnVerification(verifications, this.jobs);
    const ports = [unitOfWork, this.locks, changeDomain, domains, verifications, ownVerification] as const;
    return new SetParent(...ports, this.looks(), this.revokeSessions).execute(MASTER, name, { parent });
  }

  private releaseChildren(): ReleaseChildren {
    const { domains, verifications, tombstones } = this.ports;
    const ownVerification = new OwnVerification(verifications, this.jobs);
    return new ReleaseChildren(domains, verifications, tombstones, ownVerification, this.marks());
  }

  private looks(): PlanLooks {
    const expectations = { mxHosts: ['mx.platform.test'], spfInclude: 'spf.platform.test', examples: null };
    return new PlanLooks(this.ports.unitOfWork, new SqlDnsLooks(this.database), expectations, this.jobs, this.clock);
  }

  private marks(): MarkLimits {
    const { unitOfWork, ledger, reader, attention } = this.ports;
    return new MarkLimits(unitOfWork, ledger, reader, attention, this.clock);
  }

  createMailbox({ name }: Pick<Domain, 'name'>, localPart: string): Promise<Mailbox> {
    const { unitOfWork, partners, domains, mailboxes, aliases, tombstones, audit } = this.ports;
    const createMailbox = new CreateMailbox(
      unitOfWork,
      this.locks,
      partners,
      domains,
      mailboxes,
      aliases,
      tombstones,
      new NoHasher(),
      new StorageQuotaRule({ clientMaxQuotaMb: 1_024 }),
      this.looks(),
      audit,
      this.clock,
      this.clock,
      new CryptoRandomSource(),
    );
    return createMailbox.execute(MASTER, {
      address: addressOf(`${localPart}@${name}`),
      name: null,
      quotaMb: undefined,
      outboundDailyLimit: undefined,
      externalRef: null,
      passwordHash: '*',
    });
  }

  deleteMailbox({ email }: Pick<Mailbox, 'email'>): Promise<void> {
    const { unitOfWork, domains, mailboxes, tombstones, audit } = this.ports;
    const deleteMailbox = new DeleteMailbox(
      unitOfWork,
      this.locks,
      domains,
      mailboxes,
      tombstones,
      this.revokeSessions,
      audit,
      this.clock,
      { deletedMailGraceDays: 14 },
    );
    return deleteMailbox.execute(MASTER, addressOf(email));
  }

  createAlias({ name }: Pick<Domain, 'name'>, localPart: string, to: Pick<Mailbox, 'email'>) {
    const { unitOfWork, partners, domains, mailboxes, aliases, audit } = this.ports;
    const destinations = new AliasDestinations(domains, mailboxes, aliases, { allowExternalForward: false });
    const createAlias = new CreateAlias(
      unitOfWork,
      this.locks,
      partners,
      domains,
      mailboxes,
      aliases,
      destinations,
      this.looks(),
      audit,
      this.clock,
    );
    return createAlias.execute(MASTER, {
      address: addressOf(`${localPart}@${name}`).address,
      domain: name,
      destination: addressOf(to.email),
    });
  }

  deleteAlias(id: number): Promise<void> {
    const { unitOfWork, aliases, audit } = this.ports;
    return new DeleteAlias(unitOfWork, this.locks, aliases, audit, this.clock).execute(MASTER, { id });
  }

  /** @returns all stored counts of the database that are wrong */
  async wrongCounts(): Promise<WrongCount[]> {
    const counts = await this.database.read(
      `SELECT CONCAT('domains of ', p.ref) AS subject, p.domain_count AS kept,
              (SELECT COUNT(*) FROM domain d WHERE d.partner_id = p.id) AS found FROM partner p
       UNION ALL
       SELECT CONCAT('mailboxes of ', d.name), d.mailbox_count,
              (SELECT COUNT(*) FROM mailbox m WHERE m.domain_id = d.id) FROM domain d
       UNION ALL
       SELECT CONCAT('aliases of ', d.name), d.alias_count,
              (SELECT COUNT(*) FROM alias a WHERE a.domain_id = d.id) FROM domain d`,
    );
    return counts
      .map((row) => ({ subject: String(row.subject), kept: Number(row.kept), rows: Number(row.found) }))
      .filter(({ kept, rows }) => kept !== rows);
  }
}

function addressOf(text: string) {
  const address = parseNewAddress(text);
  if (address === null) throw new Error(`${text} is no address`);
  return address;
}
