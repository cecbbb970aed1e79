import { parseColour, parseSupportEmail, parseSupportUrl } from '@mailstead/core/brands/brand-fields';
import type { BrandChanges, GivenLogo } from '@mailstead/core/brands/change-brand';
import type { EveryFieldOf } from '../http/body-fields.js';
import type { BrandBody, LogoBody } from './brand-dto.js';

/** What the fields of a brand, which fit the rules of the body, are stored as. */
export function brandChangesOf(body: BrandBody): BrandChanges {
  return {
    name: body.name,
    logo: body.logo && logoOf(body.logo),
    colour: body.colour && parseColour(body.colour),
    supportEmail: body.support_email && parseSupportEmail(body.support_email),
    supportUrl: body.support_url && parseSupportUrl(body.support_url),
    language: body.language,
    locked: body.locked,
  } satisfies EveryFieldOf<BrandBody, BrandChanges, 'revision'>;
}

function logoOf({ type, data }: LogoBody): GivenLogo {
  return { type, bytes: Buffer.from(data, 'base64') };
}
