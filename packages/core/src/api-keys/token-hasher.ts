import type { OperatorCaller } from '../operators/caller.js';

/** Hashes tokens and recognises the tokens of operators. */
export abstract class TokenHasher {
  /** SHA-256, 64 hex digits. */
  abstract hash(token: string): string;
  /** Finds a token of the settings by its SHA-256. The comparison takes constant time. */
  abstract operatorOf(tokenHash: string): OperatorCaller | null;
  /** Whether the token belongs to master or to an operator. The comparison takes constant time. */
  abstract isOperatorToken(token: string): boolean;
}
