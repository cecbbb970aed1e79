import { needs } from '../needs.js';
import type { Client } from '../operators/caller.js';
import type { Brand } from './brand.js';
import { BrandRepository } from './brand-repository.js';
import { StoredLogos } from './stored-logos.js';

/** Reads the brand that a customer sees who came by a link. */
@needs(BrandRepository, StoredLogos)
export class BrandOfLink {
  constructor(
    private readonly brands: BrandRepository,
    private readonly logos: StoredLogos,
  ) {}

  /**
   * The brand of the partner of the link's domain. Null for a key, while the partner is suspended, and when the brand
   * shows nothing.
   */
  async read({ credential, ...partner }: Client): Promise<Brand | null> {
    return credential.kind === 'link' ? this.ofPartner(partner) : null;
  }

  /** Null while the partner is suspended, and when the brand shows nothing. */
  async ofPartner({ partnerId, partnerStage }: Pick<Client, 'partnerId' | 'partnerStage'>): Promise<Brand | null> {
    if (partnerStage !== null) return null;
    const stored = await this.brands.find(partnerId);
    const brand = stored && (await this.logos.shown(stored));
    return brand === null || brand.isEmpty ? null : brand;
  }
}
