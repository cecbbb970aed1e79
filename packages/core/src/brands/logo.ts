/** The media types of logos. */
export const LOGO_TYPES = ['image/png', 'image/svg+xml'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** The most bytes of a logo, as it is sent and as it is stored. */
export const LOGO_MAX_BYTES = 64 * 1_024;
/** The most pixels of a PNG, on each side. */
export const LOGO_MAX_PIXELS = 1_024;

/** An image that this service has written. */
export interface Logo {
  type: LogoType;
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
   * @param bytes at most `LOGO_MAX_BYTES`
   * @throws AppError logo_not_safe, with what is wrong
   */
  abstract rewrite(type: LogoType, bytes: Uint8Array): Promise<Logo>;
}
