import { type Clock, SECOND_MS } from '../clock.js';
import { AppError } from '../errors.js';
import { type BucketSize, TokenBucket } from './token-bucket.js';

/** The identity of a client: its partner, and its API key, session or link. */
export interface Spender {
  partnerId: number;
  /** `key` also stands for a session. */
  share: Share;
  /** A key, a session and a link may have the same id: `k17`, `s17`, `l17`. */
  holder: string;
}

/** Of what size the bucket beside the partner's is. */
type Share = 'key' | 'link';

/** The state of one bucket, for the headers of a response. */
interface BucketState {
  remaining: number;
  fullInS: number;
}

/** What this process took from one bucket since its last settlement; 0 when it only asks for the level. */
export interface Spending {
  key: string;
  size: BucketSize;
  spent: number;
  /** The bucket of all processes gets at most this level: what this process knows after a time without settlements. */
  ceiling: number;
}

/** A bucket with what this process took from it and has not settled yet. */
class Account {
  unsettled = 0;
  /** The part of the level that the last settlement has not seen. */
  inFlight = 0;
  settledAt = Number.NEGATIVE_INFINITY;
  chargedAt = Number.NEGATIVE_INFINITY;
  isAlone = false;

  constructor(
    readonly key: string,
    readonly bucket: TokenBucket,
  ) {}
}

/** An empty bucket becomes full within this time, seconds. */
export const WINDOW_S = 3;
/** The part of a partner's rate that one API key or session may use, and that all sessions of one link may use. */
const SHARES: Record<Share, number> = { key: 0.5, link: 0.1 };
/** The level of a bucket is old when its last settlement is longer ago. */
const SETTLED_WITHIN_MS = 500;
/** A bucket stays in the settlements of a process for this time after its last charge there, because others use it. */
const SETTLED_FOR_MS = SECOND_MS;
/** Accounts that each request checks for eviction: more than the one or two that it may add. */
const CHECKED_FOR_EVICTION = 3;

/**
 * The rates of partners and their clients: a token bucket for each partner, one of half the size for each API key and
 * each session of a key, and one of a tenth for each link. A request passes when both of its buckets hold more than
 * zero.
 *
 * Several processes settle their spending from time to time (`unsettled`, `settle`). Between two settlements a process
 * assumes that each other process spends as much as itself. So all processes together do not exceed a bucket, and one
 * process alone gets all of it within a few settlements.
 *
 * A full bucket is the same as none, so accounts of idle partners are removed.
 */
export class RateLimits {
  private readonly accounts = new Map<string, Account>();
  private readonly active = new Set<Account>();
  private eviction = this.accounts.values();
  /** How much the buckets hold. */
  readonly sizes: Readonly<Record<'partner' | Share, BucketSize>>;
  private processes = 1;
  private isShared = false;
  private onUrgent = () => {};

  /** @param perSecond the rate of a partner, requests per second; 0 limits nothing */
  constructor(
    private readonly perSecond: number,
    private readonly clock: Clock,
  ) {
    const sizeOf = (share: number): BucketSize => ({
      capacity: perSecond * WINDOW_S * share,
      perSecond: perSecond * share,
    });
    this.sizes = { partner: sizeOf(1), key: sizeOf(SHARES.key), link: sizeOf(SHARES.link) };
  }

  get isOn(): boolean {
    return this.perSecond > 0;
  }

  /** The number of stored buckets. */
  get size(): number {
    return this.accounts.size;
  }

  /** Charges one request. @throws AppError rate_limited */
  admit(spender: Spender): void {
    this.charge(spender, 1, 0);
  }

  /**
   * Charges the items of a bulk request that was already admitted as one request.
   *
   * @throws AppError rate_limited when a bucket became empty since; nothing is charged then
   */
  admitItems(spender: Spender, items: number): void {
    if (items > 1) this.charge(spender, items - 1, 1);
  }

  /** @returns the buckets of a client, for the headers of its response */
  statesOf(spender: Spender): [partner: BucketState, share: BucketState] {
    const now = this.clock.now().getTime();
    const [partner, share] = this.accountsOf(spender, now);
    return [stateOf(partner.bucket, now), stateOf(share.bucket, now)];
  }

  /** Makes the buckets those of several processes. @param onUrgent called when a settlement should not wait */
  share(onUrgent: () => void): void {
    this.isShared = true;
    this.onUrgent = onUrgent;
  }

  /** Starts a settlement. @returns at most `limit` buckets that this process used lately */
  unsettled(limit: number): Spending[] {
    const found: Spending[] = [];
    const now = this.clock.now().getTime();
    for (const account of [...this.active].slice(0, limit)) {
      this.active.delete(account);
      if (account.unsettled === 0 && now - account.chargedAt > SETTLED_FOR_MS) continue;
      this.active.add(account);
      account.inFlight = account.unsettled;
      account.unsettled = 0;
      const { key, bucket, inFlight, isAlone } = account;
      const ceiling = isAlone ? bucket.levelAt(now) + inFlight : bucket.size.capacity;
      found.push({ key, size: bucket.size, spent: inFlight, ceiling });
    }
    return found;
  }

  /**
   * Ends a settlement.
   *
   * @param levels the level of each bucket of `spendings` for all processes, in the same order
   * @param processes the number of processes that share the buckets, this one included
   */
  settle(spendings: readonly Spending[], levels: readonly number[], processes: number): void {
    this.processes = Math.max(1, processes);
    const now = this.clock.now().getTime();
    spendings.forEach(({ key }, index) => {
      const account = this.accounts.get(key);
      const level = levels[index];
      if (account === undefined || level === undefined) return;
      account.inFlight = 0;
      account.isAlone = false;
      account.settledAt = now;
      account.bucket.set(level - account.unsettled * this.processes, now);
    });
  }

  /** Ends a settlement that failed: this process goes on with its own levels, and tells them in the next settlement. */
  settleAlone(spendings: readonly Spending[]): void {
    this.processes = 1;
    for (const { key } of spendings) {
      const account = this.accounts.get(key);
      if (account === undefined) continue;
      account.inFlight = 0;
      account.isAlone = true;
    }
  }

  /** @param ownCharge what this request was charged before */
  private charge(spender: Spender, amount: number, ownCharge: number): void {
    if (!this.isOn) return;
    const now = this.clock.now().getTime();
    const accounts = this.accountsOf(spender, now);
    const own = ownCharge * this.processes;
    const empty = accounts.filter(({ bucket }) => bucket.levelAt(now) + own <= 0);
    if (empty.length > 0) {
      throw new AppError('rate_limited', { retryAfterS: Math.max(...empty.map(({ bucket }) => bucket.openInS(now))) });
    }
    for (const account of accounts) this.take(account, amount, now);
    this.evict(now);
  }

  private take(account: Account, amount: number, now: number): void {
    account.bucket.take(amount * this.processes, now);
    if (!this.isShared) return;
    account.unsettled += amount;
    account.chargedAt = now;
    this.active.add(account);
    if (this.processes > 1 && this.isUrgent(account, now)) this.onUrgent();
  }

  /** The level is old, or this process took more than half of its share since the last settlement. */
  private isUrgent({ settledAt, bucket, unsettled }: Account, now: number): boolean {
    return now - settledAt > SETTLED_WITHIN_MS || bucket.levelAt(now) < unsettled * this.processes;
  }

  private accountsOf({ partnerId, share, holder }: Spender, now: number): [Account, Account] {
    return [this.accountOf(`p${partnerId}`, this.sizes.partner, now), this.accountOf(holder, this.sizes[share], now)];
  }

  private accountOf(key: string, size: BucketSize, now: number): Account {
    const known = this.accounts.get(key);
    if (known !== undefined) return known;
    const account = new Account(key, new TokenBucket(size, now));
    this.accounts.set(key, account);
    return account;
  }

  /** Checks a few accounts, each charge the next ones. */
  private evict(now: number): void {
    for (let checked = 0; checked < CHECKED_FOR_EVICTION; checked += 1) {
      const next = this.eviction.next();
      if (next.done === true) {
        this.eviction = this.accounts.values();
        return;
      }
      const { key, bucket, unsettled, inFlight } = next.value;
      if (bucket.isFull(now) && unsettled === 0 && inFlight === 0) this.accounts.delete(key);
    }
  }
}

function stateOf(bucket: TokenBucket, now: number): BucketState {
  return { remaining: bucket.remaining(now), fullInS: bucket.fullInS(now) };
}
