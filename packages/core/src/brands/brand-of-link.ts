import { needs } from '../needs.js';
import type { Client } from '../operators/caller.js';
import type { Brand } from './brand.js';
import { BrandRepository } from './brand-repository.js';

/** Reads the brand that a customer sees who came by a link. */
@needs(BrandRepository)
export class BrandOfLink {
  constructor(private readonly brands: BrandRepository) {}

  /**
   * The brand of the partner of the link's domain. Null for a key, while the partner is suspended, and when the brand
   * shows nothing.
   */
  async read({ credential, partnerId, partnerStage }: Client): Promise<Brand | null> {
    if (credential.kind !== 'link' || partnerStage !== null) return null;
    const brand = await this.brands.find(partnerId);
    return brand === null || brand.isEmpty ? null : brand;
  }
}
