declare module 'libmime' {
  /** Decodes the encoded words (RFC 2047) in a text. */
  export function decodeWords(text: string): string;
}
