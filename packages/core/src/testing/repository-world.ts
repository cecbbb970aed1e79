import { Alias } from '../aliases/alias.js';
import type { AliasRepository } from '../aliases/alias-repository.js';
import { ApiKey } from '../api-keys/api-key.js';
import type { ApiKeyRepository } from '../api-keys/api-key-repository.js';
import type { Domain } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import type { Address } from '../mailboxes/address.js';
import { Mailbox } from '../mailboxes/mailbox.js';
import type { MailboxRepository } from '../mailboxes/mailbox-repository.js';
import type { ReadPage } from '../page.js';
import type { Partner, PartnerRef } from '../partners/partner.js';
import type { PartnerRepository } from '../partners/partner-repository.js';
import type { Verification } from '../relay/verification.js';
import type { VerificationRepository } from '../relay/verification-repository.js';
import { inSearch, type Search } from '../search.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { aDomain, aVerification } from './builders.js';

export interface RepositoryPorts {
  unitOfWork: UnitOfWork;
  partners: PartnerRepository;
  domains: DomainRepository;
  verifications: VerificationRepository;
  mailboxes: MailboxRepository;
  aliases: AliasRepository;
  keys: ApiKeyRepository;
}

/**
 * The data properties of an entity. A contract that lists a value for each of them does not compile when the entity
 * gets a new property that the contract does not write and read back.
 */
export type DataOf<Entity, Excluded extends keyof Entity> = {
  -readonly [Property in Exclude<keyof Entity, Excluded> as Entity[Property] extends (...values: never[]) => unknown
    ? never
    : Property]: Entity[Property];
};

export const AT = new Date('2026-03-01T00:00:00.123Z');

/** A database with partners and domains. Every created name is new. */
export class RepositoryWorld {
  private made = 0;
  private readonly suffix = Math.random().toString(36).slice(2, 10);

  constructor(readonly ports: RepositoryPorts) {}

  name(): DomainName {
    this.made += 1;
    return `d${this.made}.${this.suffix}.example` as DomainName;
  }

  ref(): PartnerRef {
    this.made += 1;
    return `p${this.made}-${this.suffix}` as PartnerRef;
  }

  partner(ref: PartnerRef | null = this.ref()): Promise<Partner> {
    return this.ports.unitOfWork.run(() => this.ports.partners.lockOrCreate(ref));
  }

  domain(partner: Partner, fields: Partial<Domain> = {}, verification: Partial<Verification> = {}): Promise<Domain> {
    return this.ports.unitOfWork.run(async () => {
      const domain = await this.ports.domains.add(
        aDomain({ name: this.name(), partnerId: partner.id, partnerRef: partner.ref, ...fields }),
      );
      await this.ports.verifications.add(aVerification({ domainId: domain.id, ...verification }));
      return domain;
    });
  }

  mailbox(domain: Domain, localPart: string, fields: Partial<Mailbox> = {}): Promise<Mailbox> {
    const mailbox = Mailbox.create({
      domainId: domain.id,
      email: `${localPart}@${domain.name}` as Address,
      localPart,
      name: null,
      passwordHash: '$2b$12$hash',
      quotaMb: 0,
      outboundDailyLimit: 0,
      home: 'f'.repeat(32),
      createdAt: AT,
      revokedAt: null,
    });
    return this.ports.unitOfWork.run(() => this.ports.mailboxes.add(Object.assign(mailbox, fields)));
  }

  alias(domain: Domain, localPart: string, destination: string, mailboxId: number | null = null): Promise<Alias> {
    const alias = Alias.create({
      domainId: domain.id,
      address: `${localPart}@${domain.name}` as Address,
      destination: destination as Address,
      destinationMailboxId: mailboxId,
      createdAt: AT,
    });
    return this.ports.unitOfWork.run(() => this.ports.aliases.add(alias));
  }

  key(partner: Partner & { ref: PartnerRef | null }, fields: Partial<ApiKey> = {}): Promise<ApiKey> {
    this.made += 1;
    const key = ApiKey.create({
      partnerId: partner.id,
      partnerRef: partner.ref as PartnerRef,
      tokenHash: `${this.made}${this.suffix}`.padEnd(64, '0'),
      tokenMask: 'abcd…wxyz',
      domainsAllowed: 0,
      mailboxesPerDomain: 0,
      aliasesPerMailbox: 0,
      active: true,
      expiresAt: null,
      createdAt: AT,
      name: null,
      scope: 'manage',
      domainIds: null,
      makerId: null,
    });
    return this.ports.unitOfWork.run(() => this.ports.keys.add(Object.assign(key, fields)));
  }
}

/** The data of an entity as a plain object, for comparisons. */
export function fieldsOf<Entity extends object>(entity: Entity | null | undefined): Pick<Entity, keyof Entity> {
  return Object.assign({} as Entity, entity);
}

/**
 * Runs the same work in many concurrent units of work. Without a lock, work that reads, changes and writes a row loses
 * changes.
 */
export async function inParallel(unitOfWork: UnitOfWork, times: number, work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => unitOfWork.run(work)));
}

/** Locks a row and changes it, in ten concurrent units of work. Without a lock some changes are lost. */
export function changeTenTimes<Entity>(
  unitOfWork: UnitOfWork,
  lock: () => Promise<Entity | null>,
  change: (locked: Entity) => Promise<void>,
): Promise<void> {
  return inParallel(unitOfWork, 10, async () => {
    const locked = await lock();
    if (locked === null) throw new Error('The row is missing');
    await change(locked);
  });
}

/** Reads a whole list in pages of two rows. */
/** Reads what a search finds, two rows at a time. */
export async function foundInTwos<Row extends { id: number }>(search: Search<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const chunk of inSearch(search, { after: undefined, limit: undefined, order: undefined }, 2)) {
    rows.push(...chunk.rows);
  }
  return rows;
}

export async function inPagesOfTwo<Row extends { id: number }>(read: ReadPage<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await read({ after: rows.at(-1)?.id ?? 0, limit: 2 });
    rows.push(...page);
    if (page.length < 2) return rows;
  }
}
