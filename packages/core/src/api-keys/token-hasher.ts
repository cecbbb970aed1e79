/** Turns presented tokens into what is stored and compared. */
export abstract class TokenHasher {
  /** SHA-256, 64 hex digits. */
  abstract hash(token: string): string;
  /** Whether the token is one of master's or an operator's, compared in constant time. */
  abstract isOperatorToken(token: string): boolean;
}
