import { createHash } from 'node:crypto';
import { shownOf } from '../audit/shown-of.js';
import { Brand } from './brand.js';
import type { Logo, LogoType } from './logo.js';

const shown = shownOf(Brand, { hide: ['partnerId', 'logo'] });

/** The brand in an audit row, which has the hash of a logo instead of the file, which may have 64 kB. */
export function shownBrand(brand: Brand): Record<string, unknown> {
  return { ...shown(brand), logo: brand.logo === null ? null : markOf(brand.logo) };
}

function markOf({ type, data }: Logo): { type: LogoType; sha256: string } {
  return { type, sha256: createHash('sha256').update(data, 'base64').digest('hex') };
}
