import { hash, timingSafeEqual } from 'node:crypto';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import type { Caller } from '@mailstead/core/operators/caller';

/** A token from the settings and whom it makes the caller. */
export interface OperatorToken {
  token: string;
  caller: Exclude<Caller, { kind: 'client' }>;
}

/** The tokens of master and the operators. Only their SHA-256 is kept, and all are compared, in constant time. */
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

  /** The caller whose token has this SHA-256, or null. Takes the same time whichever it is. */
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
