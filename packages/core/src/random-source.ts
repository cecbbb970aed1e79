/** Cryptographically secure random values. */
export abstract class RandomSource {
  /** `bytes` random bytes as lower-case hex digits. */
  abstract hex(bytes: number): string;
  /** A new secret for a cookie, a link or a key: 256 random bits as 43 characters of base64url. */
  abstract secret(): string;
}
