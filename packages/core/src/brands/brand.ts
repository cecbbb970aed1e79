import type { Logo } from './logo.js';

/** The languages of the pages for customers. */
export const BRAND_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type BrandLanguage = (typeof BRAND_LANGUAGES)[number];

/** What customers of a partner see of it on the pages that links open. Null is nothing. */
export class Brand {
  readonly partnerId!: number;
  name!: string | null;
  logo!: Logo | null;
  /** `#rrggbb`, in lower case. */
  colour!: string | null;
  supportEmail!: string | null;
  /** An https URL without a user, as `URL` writes it. */
  supportUrl!: string | null;
  language!: BrandLanguage | null;
  /** Whether an operator has stopped changes by the partner. */
  locked!: boolean;

  private constructor() {}

  static empty(partnerId: number): Brand {
    return Object.assign(new Brand(), {
      partnerId,
      name: null,
      logo: null,
      colour: null,
      supportEmail: null,
      supportUrl: null,
      language: null,
      locked: false,
    });
  }

  /** Whether it shows nothing. */
  get isEmpty(): boolean {
    const { name, logo, colour, supportEmail, supportUrl, language } = this;
    return [name, logo, colour, supportEmail, supportUrl, language].every((value) => value === null);
  }
}
