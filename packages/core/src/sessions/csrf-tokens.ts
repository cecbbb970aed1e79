import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The CSRF token of each session: an HMAC of its hash with `SECRET_KEY`, so that nothing has to be stored. Another site
 * can make a browser send the cookie, but does not know this token.
 */
export class CsrfTokens {
  constructor(private readonly secretKey: string) {}

  /** @param tokenHash the SHA-256 of the session's cookie */
  of(tokenHash: string): string {
    return createHmac('sha256', this.secretKey).update(`csrf\n${tokenHash}`).digest('base64url');
  }

  /** Compares in constant time. */
  isOf(tokenHash: string, given: string): boolean {
    const expected = Buffer.from(this.of(tokenHash));
    const actual = Buffer.from(given);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  }
}
