import { SenderCheck, type SenderClaim } from '../sender-check.js';

/** Allows each login the addresses in a list; can fail, or be slow. */
export class ListedSenders extends SenderCheck {
  broken: Error | null = null;
  /** Every call waits for this. */
  gate: Promise<void> = Promise.resolve();
  /** The number of claims of each call. */
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
