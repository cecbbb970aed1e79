declare module 'tr46' {
  interface ToAsciiOptions {
    checkBidi?: boolean;
    checkHyphens?: boolean;
    checkJoiners?: boolean;
    useSTD3ASCIIRules?: boolean;
    verifyDNSLength?: boolean;
    transitionalProcessing?: boolean;
    ignoreInvalidPunycode?: boolean;
  }
  /** Null when the name breaks a rule of UTS #46. */
  export function toASCII(name: string, options?: ToAsciiOptions): string | null;
  /** With `error` when the name breaks a rule of UTS #46. */
  export function toUnicode(
    name: string,
    options?: Omit<ToAsciiOptions, 'verifyDNSLength'>,
  ): { domain: string; error: boolean };
}
