import type { Brand } from './brand.js';

/** Stores at most one brand for each partner. Writers have locked the partner. */
export abstract class BrandRepository {
  /** Null when the partner has no brand. */
  abstract find(partnerId: number): Promise<Brand | null>;
  /** Inserts the brand, or replaces that of its partner. */
  abstract save(brand: Brand): Promise<void>;
  /** Does nothing when there is none. */
  abstract remove(partnerId: number): Promise<void>;
  /** The ids of at most `limit` partners with a logo that was not written by the present rules. */
  abstract withFormerLogo(limit: number): Promise<number[]>;
  /**
   * The ids of at most `limit` partners that have a brand but have ended: not suspended, without domains, keys, and
   * anything that can be restored.
   */
  abstract ended(limit: number): Promise<number[]>;
  /** Deletes the brand when its partner, which is locked, has ended. @returns whether it was deleted */
  abstract removeIfEnded(partnerId: number): Promise<boolean>;
}
