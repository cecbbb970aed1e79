import { SECOND_MS } from '../clock.js';

/** How much a token bucket holds, and how fast it fills. */
export interface BucketSize {
  capacity: number;
  perSecond: number;
}

/**
 * A token bucket. A charge may take it below zero; it then has to fill up to more than zero before the next request
 * passes. Times are epoch milliseconds. A clock that goes back fills nothing, and the bucket fills on from the new
 * time.
 */
export class TokenBucket {
  private level: number;

  constructor(
    readonly size: BucketSize,
    private at: number,
  ) {
    this.level = size.capacity;
  }

  levelAt(now: number): number {
    // Otherwise an empty bucket would refuse everything until the clock reaches its former time again.
    if (now < this.at) this.at = now;
    const filled = this.level + ((now - this.at) / SECOND_MS) * this.size.perSecond;
    return Math.min(this.size.capacity, filled);
  }

  isFull(now: number): boolean {
    return this.levelAt(now) >= this.size.capacity;
  }

  take(amount: number, now: number): void {
    this.set(this.levelAt(now) - amount, now);
  }

  set(level: number, now: number): void {
    this.level = Math.min(this.size.capacity, level);
    this.at = now;
  }

  /** @returns how many requests the bucket still lets pass: 0 or more */
  remaining(now: number): number {
    return Math.max(0, Math.ceil(this.levelAt(now)));
  }

  /** @returns the seconds until the bucket is full */
  fullInS(now: number): number {
    return Math.ceil((this.size.capacity - this.levelAt(now)) / this.size.perSecond);
  }

  /** @returns the seconds until a request passes, at least 1 */
  openInS(now: number): number {
    return Math.max(1, Math.ceil(-this.levelAt(now) / this.size.perSecond));
  }
}
