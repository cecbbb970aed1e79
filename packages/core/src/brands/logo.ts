import type { RequestOwner } from '../partners/partner-scope.js';

/** The media types of logos. */
export const LOGO_TYPES = ['image/png', 'image/svg+xml'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** The most bytes of a logo, as it is sent and as it is stored. */
export const LOGO_MAX_BYTES = 64 * 1_024;
/** The most pixels of a PNG, on each side. */
export const LOGO_MAX_PIXELS = 1_024;

/**
 * The version of the rules by which logos of each type are written. Who makes rules stricter raises it: logos of former
 * versions are written anew before they are shown, and once in the database (`RewriteLogos`).
 */
export const LOGO_RULES: Record<LogoType, number> = { 'image/png': 1, 'image/svg+xml': 2 };

/** An image that this service has written. */
export interface Logo {
  type: LogoType;
  /** The version of the rules that wrote it. Logos of version 1 have none. */
  rules?: number;
  /** The file in base64. */
  data: string;
}

/**
 * Writes a logo anew, so that only what it has understood gets to the browsers of customers. A PNG keeps its pixels,
 * its palette and its transparency. An SVG keeps shapes, gradients and references to them within the file,
 * and no browser needs long to draw it.
 */
export abstract class LogoRewriter {
  /**
   * Partners take turns.
   *
   * @param bytes at most `LOGO_MAX_BYTES`
   * @param owner null: of the service itself, which is never busy
   * @throws AppError logo_not_safe, with what is wrong; busy when too many logos wait
   */
  abstract rewrite(owner: RequestOwner | null, type: LogoType, bytes: Uint8Array): Promise<Logo>;
}

export function isOfPresentRules({ type, rules = 1 }: Logo): boolean {
  return rules === LOGO_RULES[type];
}
