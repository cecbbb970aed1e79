import { BRAND_LANGUAGES, type Brand, type BrandLanguage } from '@mailstead/core/brands/brand';
import { parseColour, parseSupportEmail, parseSupportUrl } from '@mailstead/core/brands/brand-fields';
import type { RevisedBrand } from '@mailstead/core/brands/change-brand';
import { LOGO_MAX_BYTES, LOGO_MAX_PIXELS, LOGO_TYPES, type Logo, type LogoType } from '@mailstead/core/brands/logo';
import { Bool, Enum, FreeText, Integer, Nested, Text } from '../http/fields.js';
import { REVISION } from '../http/revision.js';
import { parsedBy, trimmed } from '../http/text-rules.js';

/** The characters of base64 for the largest logo. */
const LOGO_MAX_CHARACTERS = 4 * Math.ceil(LOGO_MAX_BYTES / 3);
const EXAMPLE_LOGO = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const NAME = { nullable: true, description: 'The name that customers know', example: 'Juniper Hosting' };
const LOGO = {
  nullable: true,
  description: `A PNG of at most ${LOGO_MAX_PIXELS} pixels a side, or an SVG; at most ${LOGO_MAX_BYTES} bytes`,
  example: { type: 'image/png', data: EXAMPLE_LOGO },
};
const COLOUR = { nullable: true, description: 'The colour behind the name, `#rrggbb`', example: '#1f5f8b' };
const SUPPORT_EMAIL = {
  nullable: true,
  description: 'The address that customers write to',
  example: 'help@juniper.example',
};
const SUPPORT_URL = {
  nullable: true,
  description: 'The page where customers find help: https, without a user',
  example: 'https://juniper.example/help',
};
const LANGUAGE = {
  nullable: true,
  description: 'The language of the pages, unless a reader chooses another one',
  example: 'en',
};
const LOCKED = { description: 'Whether an operator has stopped changes by the partner', example: false };

const colour = parsedBy(parseColour, 'must be a colour like #1f5f8b');
const supportEmail = parsedBy(parseSupportEmail, 'must be an address of mail');
const supportUrl = parsedBy(
  parseSupportUrl,
  'must be an https address like https://example.com/help, without a user, of at most 500 characters',
);

/** Node leaves out what is not base64. */
function logoProblem(data: string): string | null {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.toString('base64') !== data) return 'must be base64, with its padding';
  return bytes.length > LOGO_MAX_BYTES ? `must have at most ${LOGO_MAX_BYTES} bytes` : null;
}

export class LogoBody {
  @Enum(LOGO_TYPES, { description: 'The media type', example: 'image/png' }) type!: LogoType;
  @Text({
    min: 1,
    max: LOGO_MAX_CHARACTERS,
    rule: logoProblem,
    description: 'The file in base64',
    example: EXAMPLE_LOGO,
  })
  data!: string;
}

export class BrandBody {
  @FreeText({ ...NAME, min: 1, max: 64, rule: trimmed, optional: true }) name?: string | null;
  @Nested(LogoBody, { ...LOGO, optional: true }) logo?: LogoBody | null;
  @Text({ ...COLOUR, max: 7, rule: colour, optional: true }) colour?: string | null;
  @Text({ ...SUPPORT_EMAIL, max: 254, rule: supportEmail, optional: true }) support_email?: string | null;
  @Text({ ...SUPPORT_URL, max: 500, rule: supportUrl, optional: true }) support_url?: string | null;
  @Enum(BRAND_LANGUAGES, { ...LANGUAGE, optional: true }) language?: BrandLanguage | null;
  @Bool({
    ...LOCKED,
    optional: true,
    description: 'Whether the partner may not change the brand. Only master can set it to true',
  })
  locked?: boolean;
  @Integer({ min: 0, optional: true, description: 'As it was read; ignored, because `If-Match` says it', example: 1 })
  revision?: number;
}

export class LogoResponse {
  @Enum(LOGO_TYPES, { description: 'The media type', example: 'image/png' }) type!: string;
  @Text({
    max: LOGO_MAX_CHARACTERS,
    description: 'The file in base64, as the service wrote it anew',
    example: EXAMPLE_LOGO,
  })
  data!: string;
}

/** What customers see. */
export class ShownBrandResponse {
  @Text(NAME) name!: string | null;
  @Nested(LogoResponse, LOGO) logo!: LogoResponse | null;
  @Text(COLOUR) colour!: string | null;
  @Text(SUPPORT_EMAIL) support_email!: string | null;
  @Text(SUPPORT_URL) support_url!: string | null;
  @Enum(BRAND_LANGUAGES, LANGUAGE) language!: string | null;
}

export class BrandResponse extends ShownBrandResponse {
  @Bool(LOCKED) locked!: boolean;
  @Integer(REVISION) revision!: number;
}

export function presentBrand({ brand, revision }: RevisedBrand): BrandResponse {
  return Object.assign(shownOf(brand), { locked: brand.locked, revision });
}

export function presentShownBrand(brand: Brand | null): ShownBrandResponse | null {
  return brand === null ? null : shownOf(brand);
}

function shownOf({ name, logo, colour, supportEmail, supportUrl, language }: Brand): ShownBrandResponse {
  return {
    name,
    logo: logo === null ? null : presentLogo(logo),
    colour,
    support_email: supportEmail,
    support_url: supportUrl,
    language,
  };
}

function presentLogo({ type, data }: Logo): LogoResponse {
  return { type, data };
}
