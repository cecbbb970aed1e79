import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Config } from '@mailstead/adapters/config';
import { DemoMark } from '@mailstead/adapters/database/installation/demo-mark';
import { CreateAlias } from '@mailstead/core/aliases/create-alias';
import { CreateApiKey } from '@mailstead/core/api-keys/create-api-key';
import { CreateDomain } from '@mailstead/core/domains/create-domain';
import { type DomainName, readNewDomainName } from '@mailstead/core/domains/domain-name';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { SuspendDomain } from '@mailstead/core/domains/suspend-domain';
import { type ParsedAddress, parseCatchAll, parseNewAddress } from '@mailstead/core/mailboxes/address';
import { CreateMailbox } from '@mailstead/core/mailboxes/create-mailbox';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import { needs } from '@mailstead/core/needs';
import { systemActor } from '@mailstead/core/operators/actor';
import { ConfigureOutbound } from '@mailstead/core/outbound/configure-outbound';
import { CountOutbound } from '@mailstead/core/outbound/count-outbound';
import { ChangePartner } from '@mailstead/core/partner-changes/change-partner';
import { type PartnerRef, parsePartnerRef } from '@mailstead/core/partners/partner';
import { RandomSource } from '@mailstead/core/random-source';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { FillPast, messageOf } from './fill-past.js';
import { INVENTED, type InventedDomain, type InventedPartner } from './invented.js';

const ACTOR = systemActor('demo');

/** The file in the data folder with the keys of the invented partners, which only the owner reads. */
export function partnerKeysFile(dataDir: string): string {
  return join(resolve(dataDir), 'partner-keys');
}

/** Fills the new database of a demo. */
@needs(
  UnitOfWork,
  DemoMark,
  DomainRepository,
  CreateApiKey,
  ChangePartner,
  CreateDomain,
  ConfigureOutbound,
  SuspendDomain,
  CreateMailbox,
  CreateAlias,
  CountOutbound,
  FillPast,
  PasswordHasher,
  RandomSource,
  Config,
)
export class FillDemo {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly mark: DemoMark,
    private readonly domains: DomainRepository,
    private readonly createApiKey: CreateApiKey,
    private readonly changePartner: ChangePartner,
    private readonly createDomain: CreateDomain,
    private readonly configureOutbound: ConfigureOutbound,
    private readonly suspendDomain: SuspendDomain,
    private readonly createMailbox: CreateMailbox,
    private readonly createAlias: CreateAlias,
    private readonly countOutbound: CountOutbound,
    private readonly past: FillPast,
    private readonly passwords: PasswordHasher,
    private readonly random: RandomSource,
    private readonly config: Readonly<Config>,
  ) {}

  /**
   * Does nothing when it was done. A demo that was killed meanwhile goes on with what is missing.
   *
   * @throws Error when the database has data, but no mark
   */
  async execute(): Promise<void> {
    const state = await this.mark.read();
    if (state === 'finished') return;
    if (state === null) await this.create();
    await this.settle();
    await this.mark.write('finished');
  }

  /** Creates everything and the mark in one transaction. */
  private async create(): Promise<void> {
    const [first] = await this.domains.page('all', {}, { after: 0, limit: 1 });
    if (first !== undefined) throw new Error(`The database in ${resolve(this.config.dataDir)} is not a demo's.`);
    const tokens = new Map(INVENTED.map(({ ref }) => [ref, `ms_${this.random.secret()}`]));
    const lines = [...tokens].map(([ref, token]) => `${ref} ${token}\n`);
    await writeFile(partnerKeysFile(this.config.dataDir), lines.join(''), { mode: 0o600 });
    // One password that nobody knows. Hashing is slow, so it is done once and outside the transaction.
    const passwordHash = await this.passwords.hash('all', this.random.secret(), new AbortController().signal);
    await this.unitOfWork.run(async () => {
      for (const partner of INVENTED) await this.addPartner(partner, tokens.get(partner.ref) ?? '', passwordHash);
      await this.mark.write('unfinished');
    });
  }

  /** Sets what can only be set on domains that are committed, and counts their mail. It may be repeated. */
  private async settle(): Promise<void> {
    const domains = INVENTED.flatMap((partner) => partner.domains);
    for (const domain of domains) {
      const name = nameOf(domain);
      await this.configureOutbound.execute(ACTOR, name, {
        outboundTier: domain.tier,
        ...(domain.state === 'blocked' ? { outboundStatus: 'blocked' } : {}),
      });
      if (domain.state === 'suspended') await this.suspendDomain.execute(ACTOR, name, { cause: 'abuse' });
    }
    await this.past.countDays(domains);
    await this.countOutbound.executeAll(
      domains
        .filter(({ sentToday }) => sentToday > 0)
        .map((domain) => messageOf(domain, domain.sentToday, `demo-${domain.name}`)),
    );
    await this.past.countBounces();
  }

  private async addPartner(
    { ref, name, domains }: InventedPartner,
    token: string,
    passwordHash: string,
  ): Promise<void> {
    const partnerRef = expected(parsePartnerRef(ref));
    await this.createApiKey.execute(ACTOR, {
      token,
      partnerRef,
      name: 'Invented by the demo',
      domainsAllowed: 25,
      mailboxesPerDomain: 20,
      aliasesPerMailbox: 10,
      active: true,
      expiresAt: null,
      scope: 'manage',
      domains: null,
    });
    await this.changePartner.execute(ACTOR, partnerRef, { name });
    for (const domain of domains) await this.addDomain(domain, partnerRef, passwordHash);
  }

  private async addDomain(invented: InventedDomain, partnerRef: PartnerRef, passwordHash: string): Promise<void> {
    const { mailboxes, aliases } = invented;
    const name = nameOf(invented);
    await this.createDomain.execute(ACTOR, { name, partnerRef, externalRef: null });
    for (const local of mailboxes) {
      await this.createMailbox.execute(ACTOR, {
        address: addressOf(local, name),
        passwordHash,
        name: null,
        quotaMb: undefined,
        outboundDailyLimit: undefined,
        externalRef: null,
      });
    }
    const destination = addressOf(mailboxes[0] ?? '', name);
    for (const local of aliases) {
      const { address } = local === '*' ? expected(parseCatchAll(`@${name}`)) : addressOf(local, name);
      await this.createAlias.execute(ACTOR, { address, domain: name, destination });
    }
  }
}

function nameOf({ name }: InventedDomain): DomainName {
  const read = readNewDomainName(name);
  return expected(read.ok ? read.name : null);
}

function addressOf(local: string, domain: DomainName): ParsedAddress {
  return expected(parseNewAddress(`${local}@${domain}`));
}

/** @throws Error when what was invented has a wrong form */
function expected<T>(parsed: T | null): T {
  if (parsed === null) throw new Error('The demo has an invalid name');
  return parsed;
}
