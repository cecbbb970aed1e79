import { hash, timingSafeEqual } from 'node:crypto';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import type { Caller } from '@mailstead/core/operators/caller';

/** A token from the settings, and the caller that it authenticates. */
export interface OperatorToken {
  token: string;
  caller: Exclude<Caller, { kind: 'client' }>;
}

/** The tokens of master and the operators. Keeps only their SHA-256 digests. */
export class OperatorTokens extends TokenHasher {
  private readonly entries: { digest: Buffer; caller: OperatorToken['caller'] }[];

  constructor(tokens: OperatorToken[]) {
    super();
    this.entries = tokens.map(({ token, caller }) => ({ digest: sha256(token), caller }));
  }

  override hash(token: string): string {
    return sha256(token).toString('hex');
  }

  override isOperatorToken(token: string): boolean {
    return this.callerOf(sha256(token)) !== null;
  }

  /**
   * Compares all tokens in constant time, so that the duration does not reveal which token matches.
   *
   * @param digest the SHA-256 of a token
   */
  callerOf(digest: Buffer): OperatorToken['caller'] | null {
    let found: OperatorToken['caller'] | null = null;
    for (const entry of this.entries) {
      if (timingSafeEqual(entry.digest, digest)) found = entry.caller;
    }
    return found;
  }
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
