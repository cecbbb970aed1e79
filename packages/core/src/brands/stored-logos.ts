import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { Brand } from './brand.js';
import { isOfPresentRules, type Logo, LogoRewriter } from './logo.js';

/** Gives stored logos as the present rules write them, whichever release stored them. */
@needs(LogoRewriter)
export class StoredLogos {
  constructor(private readonly logos: LogoRewriter) {}

  /** @returns the brand as it may be shown; it is not stored */
  async shown(brand: Brand): Promise<Brand> {
    brand.logo = await this.current(brand.logo);
    return brand;
  }

  /** @returns null also when the present rules refuse the logo */
  async current(logo: Logo | null): Promise<Logo | null> {
    if (logo === null || isOfPresentRules(logo)) return logo;
    try {
      return await this.logos.rewrite(null, logo.type, Buffer.from(logo.data, 'base64'));
    } catch (error) {
      if (error instanceof AppError && error.code === 'logo_not_safe') return null;
      throw error;
    }
  }
}
