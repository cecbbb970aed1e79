import { Clock, MINUTE_MS } from '../clock.js';
import { needs } from '../needs.js';

const VALID_MS = 5 * MINUTE_MS;

/**
 * The code that `npm start` prints on a terminal, so that the person there enters the portal at once. It opens one
 * session of the master token. Only this process knows its SHA-256.
 */
@needs(Clock)
export class TerminalCode {
  private hash: string | null = null;
  private expiresAt = 0;
  private operatorHash = '';

  constructor(private readonly clock: Clock) {}

  /**
   * @param hash the SHA-256 of the code
   * @param operatorHash the SHA-256 of the token whose session it opens
   */
  print(hash: string, operatorHash: string): void {
    this.hash = hash;
    this.operatorHash = operatorHash;
    this.expiresAt = this.clock.now().getTime() + VALID_MS;
  }

  /** @returns when the code expires; null for any other one */
  expiryOf(hash: string): Date | null {
    return this.isValid(hash) ? new Date(this.expiresAt) : null;
  }

  /** Uses the code up. @returns whose session it opens; null for any other one */
  take(hash: string): string | null {
    if (!this.isValid(hash)) return null;
    this.hash = null;
    return this.operatorHash;
  }

  /** Makes a code that was taken valid again, because its session could not be stored. */
  giveBack(hash: string): void {
    this.hash = hash;
  }

  /** The hashes are of 256 random bits, so that their comparison tells nothing about the code. */
  private isValid(hash: string): boolean {
    return this.hash === hash && this.clock.now().getTime() < this.expiresAt;
  }
}
