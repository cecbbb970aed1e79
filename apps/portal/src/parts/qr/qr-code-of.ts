import encoder from 'qrcode-generator';

/** Whole pixels, so that all modules are equally large on the screen. */
const PIXELS_OF_MODULE = 4;
/** Light modules around the code, which readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

// By itself the library keeps only the lower byte of each character.
encoder.stringToBytes = (text) => [...new TextEncoder().encode(text)];

/** Returns the QR code of a text as a `data:` SVG image, which the content security policy lets `<img>` show. */
export function qrCodeOf(text: string): string {
  const code = encoder(0, 'M');
  code.addData(text);
  code.make();
  const svg = code.createSvgTag({ cellSize: PIXELS_OF_MODULE, margin: QUIET_ZONE * PIXELS_OF_MODULE });
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
