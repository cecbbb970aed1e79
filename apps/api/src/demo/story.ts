import { CreateAlias } from '@mailstead/core/aliases/create-alias';
import { ApiKeyRepository } from '@mailstead/core/api-keys/api-key-repository';
import { CreateApiKey } from '@mailstead/core/api-keys/create-api-key';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import { ChangeBrand } from '@mailstead/core/brands/change-brand';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { CreateDomain } from '@mailstead/core/domains/create-domain';
import { type DomainName, readNewDomainName } from '@mailstead/core/domains/domain-name';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { SetInbound, SetTransferCap } from '@mailstead/core/domains/set-domain-limits';
import { SuspendDomain } from '@mailstead/core/domains/suspend-domain';
import { type ParsedAddress, parseCatchAll, parseNewAddress } from '@mailstead/core/mailboxes/address';
import { CreateMailbox } from '@mailstead/core/mailboxes/create-mailbox';
import { type Actor, systemActor } from '@mailstead/core/operators/actor';
import { clientOfKey } from '@mailstead/core/operators/caller';
import { ConfigureOutbound } from '@mailstead/core/outbound/configure-outbound';
import { ChangePartner } from '@mailstead/core/partner-changes/change-partner';
import { SuspendPartner } from '@mailstead/core/partner-changes/suspend-partner';
import { type PartnerRef, parsePartnerRef } from '@mailstead/core/partners/partner';
import { PartnerRepository } from '@mailstead/core/partners/partner-repository';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { BRANDED, INVENTED, type InventedDomain, type InventedPartner } from './invented.js';
import { LOGO } from './logo.js';
import type { Happening, Past } from './past.js';
import { plotOf } from './story-states.js';

const ACTOR = systemActor('demo');

const PARTNERS_AGE_MS = 70 * DAY_MS;
const DOMAINS_AGE_MS = 60 * DAY_MS;
/** The sandbox verifies a few seconds after the start. */
const VERIFIED_AFTER_MS = MINUTE_MS;

/** What the partners with a story, and the operator, did in the last two months. */
export class Story {
  /** @param tokens the token of each partner's key */
  constructor(
    private readonly past: Past,
    private readonly now: Date,
    private readonly tokens: ReadonlyMap<string, string>,
    private readonly passwordHash: string,
  ) {}

  happenings(): Happening[] {
    return INVENTED.flatMap((partner, index) => [
      ...this.ofPartner(partner, index),
      ...partner.domains.flatMap((domain, place) =>
        this.ofDomain(partner, domain, index * HOUR_MS + place * MINUTE_MS * 5),
      ),
    ]);
  }

  private ofPartner(partner: InventedPartner, index: number): Happening[] {
    const ref = partnerRefOf(partner);
    const created = PARTNERS_AGE_MS - index * HOUR_MS;
    const { stage } = partner;
    return [
      this.ago(created, () => this.createPartner(partner)),
      ...(partner.ref === BRANDED ? [this.ago(created - HOUR_MS, () => this.setBrand(ref))] : []),
      ...(stage === undefined
        ? []
        : [this.ago(DAY_MS, () => this.past.get(SuspendPartner).suspend(ACTOR, ref, { cause: 'billing', stage }))]),
    ];
  }

  /** @param afterMs how much later than others a domain without an age of its own was created */
  private ofDomain(partner: InventedPartner, domain: InventedDomain, afterMs: number): Happening[] {
    const name = nameOf(domain);
    const { fate, ageMs = DOMAINS_AGE_MS - afterMs, sinceMs = SECOND_MS } = plotOf(domain);
    return [
      this.ago(ageMs, () => this.createDomain(partner, domain)),
      this.ago(ageMs - SECOND_MS, () => this.verify(name)),
      this.ago(ageMs - VERIFIED_AFTER_MS, () => this.verify(name)),
      this.ago(ageMs - 2 * VERIFIED_AFTER_MS, () =>
        this.past.get(ConfigureOutbound).execute(ACTOR, name, { outboundTier: domain.tier }),
      ),
      ...(fate === 'lost' || fate === 'at_risk'
        ? [this.ago(Math.max(0, sinceMs - VERIFIED_AFTER_MS), () => this.check(name))]
        : []),
      this.ago(sinceMs, () => this.setUp(partner, domain)),
    ];
  }

  private async createPartner(partner: InventedPartner): Promise<void> {
    const partnerRef = partnerRefOf(partner);
    if ((await this.past.get(PartnerRepository).summary(partnerRef)) !== null) return;
    await this.past.get(UnitOfWork).run(async () => {
      await this.past.get(CreateApiKey).execute(ACTOR, {
        token: this.tokenOf(partner),
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
      await this.past.get(ChangePartner).execute(ACTOR, partnerRef, { name: partner.name });
    });
  }

  private setBrand(ref: PartnerRef): Promise<unknown> {
    return this.past.get(ChangeBrand).execute(ACTOR, ref, {
      name: 'Harbour Mail',
      logo: LOGO,
      colour: '#0b5cad',
      supportEmail: 'help@riverbank-books.example',
      supportUrl: null,
      language: null,
      locked: false,
    });
  }

  private async createDomain(partner: InventedPartner, invented: InventedDomain): Promise<void> {
    const name = nameOf(invented);
    if ((await this.past.get(DomainRepository).find('all', name)) !== null) return;
    await this.past.get(UnitOfWork).run(async () => {
      await this.past.get(CreateDomain).execute(ACTOR, { name, partnerRef: partnerRefOf(partner), externalRef: null });
      for (const local of invented.mailboxes) {
        await this.past.get(CreateMailbox).execute(ACTOR, {
          address: addressOf(local, name),
          passwordHash: this.passwordHash,
          name: null,
          quotaMb: undefined,
          outboundDailyLimit: undefined,
          externalRef: null,
        });
      }
      const destination = addressOf(invented.mailboxes[0] ?? '', name);
      for (const local of invented.aliases) {
        const { address } = local === '*' ? expected(parseCatchAll(`@${name}`)) : addressOf(local, name);
        await this.past.get(CreateAlias).execute(ACTOR, { address, domain: name, destination });
      }
    });
  }

  /** One check of a verification that has no result yet. */
  private async verify(name: DomainName): Promise<void> {
    const { id } = expected(await this.past.get(DomainRepository).find('all', name));
    const status = (await this.past.get(VerificationRepository).find(id))?.status;
    if (status === 'unverified' || status === 'pending') await this.check(name);
  }

  /** Unless it was checked since. */
  private async check(name: DomainName): Promise<void> {
    const { id } = expected(await this.past.get(DomainRepository).find('all', name));
    const checkedAt = (await this.past.get(VerificationRepository).find(id))?.lastCheckedAt ?? null;
    if (checkedAt === null || checkedAt < this.past.now) await this.past.get(CheckVerification).execute(id);
  }

  private async setUp(partner: InventedPartner, domain: InventedDomain): Promise<void> {
    const name = nameOf(domain);
    const { suspended, outbound, ownDailyLimit, transferMonthlyMb, isClosed } = plotOf(domain);
    const configure = this.past.get(ConfigureOutbound);
    if (outbound !== undefined) await configure.execute(ACTOR, name, outbound);
    if (ownDailyLimit !== undefined) {
      await configure.execute(await this.clientOf(partner), name, { dailyLimit: ownDailyLimit });
    }
    if (transferMonthlyMb !== undefined) await this.past.get(SetTransferCap).execute(ACTOR, name, transferMonthlyMb);
    if (isClosed === true) await this.past.get(SetInbound).execute(ACTOR, name, 'pending');
    if (suspended !== undefined) await this.past.get(SuspendDomain).execute(ACTOR, name, { cause: suspended });
  }

  private async clientOf(partner: InventedPartner): Promise<Actor> {
    const hash = this.past.get(TokenHasher).hash(this.tokenOf(partner));
    const chain = expected(await this.past.get(ApiKeyRepository).findByHash(hash));
    return { ...clientOfKey(chain), requestId: null };
  }

  private tokenOf({ ref }: InventedPartner): string {
    return expected(this.tokens.get(ref) ?? null);
  }

  private ago(ms: number, happen: Happening['happen']): Happening {
    return { at: new Date(this.now.getTime() - ms), happen };
  }
}

export function nameOf({ name }: Pick<InventedDomain, 'name'>): DomainName {
  const read = readNewDomainName(name);
  return expected(read.ok ? read.name : null);
}

function partnerRefOf({ ref }: InventedPartner): PartnerRef {
  return expected(parsePartnerRef(ref));
}

function addressOf(local: string, domain: DomainName): ParsedAddress {
  return expected(parseNewAddress(`${local}@${domain}`));
}

/** @throws Error when what was invented has a wrong form, or is missing */
function expected<T>(parsed: T | null): T {
  if (parsed === null) throw new Error('The demo has an invalid or missing name');
  return parsed;
}
