/** Cryptographically secure random values. */
export abstract class RandomSource {
  /** `bytes` random bytes as lower-case hex digits. */
  abstract hex(bytes: number): string;
}
