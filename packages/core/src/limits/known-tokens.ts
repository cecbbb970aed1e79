import { Clock, HOUR_MS, MINUTE_MS } from '../clock.js';
import { needs } from '../needs.js';
import type { RequestOwner } from '../partners/partner-scope.js';
import { AgedMap } from './aged-map.js';

/** A token is known for this time after it was right for the last time. */
const KNOWN_MS = HOUR_MS;
/** The time is written again only after this time, because it is read at every request. */
const REFRESH_MS = 5 * MINUTE_MS;
const MAX_PER_PARTNER = 1_000;
/** Takes about 20 MB. */
const MAX_TOKENS = 100_000;

/**
 * The hashes of the tokens that were right within the last hour; operators count as one partner (`all`). When there are
 * too many of a partner, or in all, the one that was right the longest time ago is forgotten.
 */
@needs(Clock)
export class KnownTokens {
  /** By the hash, in the order in which they were last right. */
  private readonly tokens = new AgedMap<string, { owner: RequestOwner; rightAt: number }>();
  private readonly owned = new Map<RequestOwner, Set<string>>();

  constructor(
    private readonly clock: Clock,
    private readonly maxTokens = MAX_TOKENS,
  ) {}

  get size(): number {
    return this.tokens.size;
  }

  has(tokenHash: string): boolean {
    const known = this.tokens.get(tokenHash);
    return known !== undefined && this.clock.now().getTime() - known.rightAt < KNOWN_MS;
  }

  remember(tokenHash: string, owner: RequestOwner): void {
    const now = this.clock.now().getTime();
    const known = this.tokens.get(tokenHash);
    if (known !== undefined && known.owner === owner && now - known.rightAt < REFRESH_MS) return;
    this.forget(tokenHash);
    this.tokens.put(tokenHash, { owner, rightAt: now });
    const own = this.owned.get(owner) ?? new Set();
    this.owned.set(owner, own.add(tokenHash));
    if (own.size > MAX_PER_PARTNER) this.forgetFirst(own);
    this.forgetOldest(now);
  }

  /** Forgets at most two, so that no request waits for many, and more than a request may add. */
  private forgetOldest(now: number): void {
    for (let forgotten = 0; forgotten < 2; forgotten += 1) {
      const oldest = this.tokens.oldest();
      if (oldest === null) return;
      const [hash, { rightAt }] = oldest;
      if (this.tokens.size <= this.maxTokens && now - rightAt < KNOWN_MS) return;
      this.forget(hash);
    }
  }

  private forgetFirst(hashes: Iterable<string>): void {
    const [first] = hashes;
    if (first !== undefined) this.forget(first);
  }

  private forget(tokenHash: string): void {
    const known = this.tokens.get(tokenHash);
    if (known === undefined) return;
    this.tokens.delete(tokenHash);
    const own = this.owned.get(known.owner);
    own?.delete(tokenHash);
    if (own?.size === 0) this.owned.delete(known.owner);
  }
}
