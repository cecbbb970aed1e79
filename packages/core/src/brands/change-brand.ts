import { aboutPartner } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { isChange } from '../audit/is-change.js';
import { Clock } from '../clock.js';
import { defined } from '../defined.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { changeExpected, type Revised, raiseRevision } from '../operators/revision.js';
import type { Partner, PartnerRef } from '../partners/partner.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { ownerOf } from '../partners/partner-scope.js';
import { UnitOfWork } from '../unit-of-work.js';
import { Brand } from './brand.js';
import { BrandRepository } from './brand-repository.js';
import { LogoRewriter, type LogoType } from './logo.js';
import { shownBrand } from './shown-brand.js';

/** A logo as somebody sent it. */
export interface GivenLogo {
  type: LogoType;
  bytes: Uint8Array;
}

/** A brand with its revision. */
export interface RevisedBrand extends Revised {
  brand: Brand;
}

type Given<Field extends keyof Brand> = Brand[Field] | undefined;

/** A field that is undefined is not changed; null clears it. */
export interface BrandChanges {
  name: Given<'name'>;
  logo: GivenLogo | null | undefined;
  colour: Given<'colour'>;
  supportEmail: Given<'supportEmail'>;
  supportUrl: Given<'supportUrl'>;
  language: Given<'language'>;
  locked: Given<'locked'>;
}

/** Changes and removes the brand of a partner: the partner with its own keys, unless an operator locked it. */
@needs(UnitOfWork, PartnerRepository, BrandRepository, LogoRewriter, AuditLog, Clock)
export class ChangeBrand {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly brands: BrandRepository,
    private readonly logos: LogoRewriter,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes nothing when no field gets another value.
   *
   * @throws AppError partner_not_found, changed_meanwhile, brand_locked, logo_not_safe, busy
   */
  async execute(actor: Actor, ref: PartnerRef, { logo: given, ...changes }: BrandChanges): Promise<RevisedBrand> {
    const logo = given && (await this.logos.rewrite(ownerOf(scopeOf(actor)), given.type, given.bytes));
    return this.change(actor, ref, (brand) => Object.assign(brand, defined({ ...changes, logo })));
  }

  /** Does nothing when there is no brand. @throws AppError partner_not_found, brand_locked */
  async remove(actor: Actor, ref: PartnerRef): Promise<void> {
    await this.change(actor, ref, ({ partnerId }) => Brand.empty(partnerId));
  }

  private change(actor: Actor, ref: PartnerRef, work: (brand: Brand) => Brand): Promise<RevisedBrand> {
    return this.unitOfWork.run(async () => {
      const partner = await this.lock(ref);
      const present = (await this.brands.find(partner.id)) ?? Brand.empty(partner.id);
      const row = { revision: partner.brandRevision };
      await changeExpected(actor, row, () => {
        if (present.locked && actor.kind === 'client') throw new AppError('brand_locked');
      });
      const before = { brand: shownBrand(present) };
      const brand = work(present);
      const after = { brand: shownBrand(brand) };
      if (!isChange({ before, after })) return { brand, ...row };
      raiseRevision(actor, row);
      partner.brandRevision = row.revision;
      await this.partners.save(partner);
      if (brand.isEmpty && !brand.locked) await this.brands.remove(partner.id);
      else await this.brands.save(brand);
      const entry = aboutPartner(partner, 'partner.update', { subject: ref, before, after });
      await this.audit.append(actor, this.clock.now(), entry);
      return { brand, ...row };
    });
  }

  private async lock(ref: PartnerRef): Promise<Partner> {
    const summary = await this.partners.summary(ref);
    if (summary === null) throw new AppError('partner_not_found');
    return this.partners.lock(summary.id);
  }
}
