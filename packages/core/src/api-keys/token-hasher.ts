/** Hashes tokens and recognises the tokens of operators. */
export abstract class TokenHasher {
  /** SHA-256, 64 hex digits. */
  abstract hash(token: string): string;
  /** Whether the token belongs to master or to an operator. The comparison takes constant time. */
  abstract isOperatorToken(token: string): boolean;
}
