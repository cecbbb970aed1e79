import { parseColour, parseSupportEmail, parseSupportUrl } from '@mailstead/core/brands/brand-fields';
import type { BrandChanges, GivenLogo } from '@mailstead/core/brands/change-brand';
import { LOGO_MAX_BYTES } from '@mailstead/core/brands/logo';
import { invalidField } from '@mailstead/core/errors';
import type { EveryFieldOf } from '../http/body-fields.js';
import type { BrandBody, LogoBody } from './brand-dto.js';

/** Reads the fields of a brand. @throws AppError validation_failed, which names the field */
export function brandChangesOf(body: BrandBody): BrandChanges {
  return {
    name: nameField(body.name),
    logo: body.logo && logoField(body.logo),
    colour: parsed('colour', body.colour, parseColour, 'must be a colour like #1f5f8b'),
    supportEmail: parsed('support_email', body.support_email, parseSupportEmail, 'must be an address of mail'),
    supportUrl: parsed(
      'support_url',
      body.support_url,
      parseSupportUrl,
      'must be an https address like https://example.com/help, without a user, of at most 500 characters',
    ),
    language: body.language,
    locked: body.locked,
  } satisfies EveryFieldOf<BrandBody, BrandChanges>;
}

function nameField<Given extends string | null | undefined>(name: Given): Given {
  if (typeof name === 'string' && name.trim() !== name)
    throw invalidField('name', 'must not begin or end with a space');
  return name;
}

function logoField({ type, data }: LogoBody): GivenLogo {
  const bytes = Buffer.from(data, 'base64');
  // Node leaves out what is not base64.
  if (bytes.toString('base64') !== data) throw invalidField('logo.data', 'must be base64, with its padding');
  if (bytes.length > LOGO_MAX_BYTES) throw invalidField('logo.data', `must have at most ${LOGO_MAX_BYTES} bytes`);
  return { type, bytes };
}

function parsed(
  field: string,
  text: string | null | undefined,
  parse: (text: string) => string | null,
  rule: string,
): string | null | undefined {
  if (text === null || text === undefined) return text;
  const value = parse(text);
  if (value === null) throw invalidField(field, rule);
  return value;
}
