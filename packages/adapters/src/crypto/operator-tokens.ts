import { hash, timingSafeEqual } from 'node:crypto';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import type { OperatorCaller } from '@mailstead/core/operators/caller';

/** A token from the settings, and the caller that it authenticates. */
export interface OperatorToken {
  token: string;
  caller: OperatorCaller;
}

/** The tokens of master and the operators. Keeps only their SHA-256 digests. */
export class OperatorTokens extends TokenHasher {
  private readonly entries: { digest: Buffer; caller: OperatorCaller }[];

  constructor(tokens: OperatorToken[]) {
    super();
    this.entries = tokens.map(({ token, caller }) => {
      const digest = sha256(token);
      return { digest, caller: { ...caller, operatorHash: digest.toString('hex') } };
    });
  }

  override hash(token: string): string {
    return sha256(token).toString('hex');
  }

  override isOperatorToken(token: string): boolean {
    return this.callerOf(sha256(token)) !== null;
  }

  override operatorOf(tokenHash: string): OperatorCaller | null {
    return this.callerOf(Buffer.from(tokenHash, 'hex'));
  }

  /**
   * Compares all tokens in constant time, so that the duration does not reveal which token matches.
   *
   * @param digest the SHA-256 of a token
   */
  callerOf(digest: Buffer): OperatorCaller | null {
    let found: OperatorCaller | null = null;
    for (const entry of this.entries) {
      if (timingSafeEqual(entry.digest, digest)) found = entry.caller;
    }
    return found;
  }
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
