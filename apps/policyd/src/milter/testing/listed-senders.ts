import { SenderCheck, type SenderClaim } from '../sender-check.js';

/** Lets each login use the addresses in a list; can be out of order, or slow. */
export class ListedSenders extends SenderCheck {
  broken: Error | null = null;
  /** Claims wait for this. */
  gate: Promise<void> = Promise.resolve();
  /** How many claims came with each call. */
  readonly calls: number[] = [];

  constructor(private readonly allowed: Record<string, readonly string[]>) {
    super();
  }

  override async mayUse(claims: readonly SenderClaim[]): Promise<boolean[]> {
    this.calls.push(claims.length);
    await this.gate;
    if (this.broken !== null) throw this.broken;
    return claims.map(({ login, address }) => (this.allowed[login] ?? []).includes(address));
  }
}
