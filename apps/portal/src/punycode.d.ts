declare module 'punycode.js' {
  /** Decodes the labels of a domain name that begin with `xn--`. @throws RangeError when one is no Punycode */
  export function toUnicode(name: string): string;
}
