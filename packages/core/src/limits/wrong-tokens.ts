import { type Clock, MINUTE_MS, SECOND_MS } from '../clock.js';
import { AppError } from '../errors.js';
import type { RequestOwner } from '../partners/partner-scope.js';
import { AgedMap } from './aged-map.js';
import type { KnownTokens } from './known-tokens.js';

const WINDOW_MS = MINUTE_MS;
/** Takes about 20 MB. */
const MAX_ADDRESSES = 100_000;

/** The wrong tokens of one address within one minute. */
class Guesses {
  wrong = 0;
  /** The look-ups that run. Each may turn out to be wrong. */
  pending = 0;
  private changed: Deferred<void> | null = null;

  constructor(readonly startedAt: number) {}

  /** Waits until a look-up ends. @throws the error of a look-up that failed, for example because of the database */
  async change(): Promise<void> {
    if (this.changed === null) {
      this.changed = deferred();
      this.changed.promise.catch(() => undefined);
    }
    await this.changed.promise;
  }

  end(failure: unknown): void {
    this.pending -= 1;
    const { changed } = this;
    this.changed = null;
    if (failure === null) changed?.resolve();
    else changed?.reject(failure);
  }
}

interface Deferred<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
}

/**
 * Refuses further tokens of an address that sent too many wrong ones within a minute. Tokens that were right within the
 * last hour are exempt, so that nobody is locked out by another behind the same address.
 *
 * Look-ups that run count as wrong until they end: a token waits when only they are too many. So of any number of
 * concurrent guesses only the permitted number is looked up, and no right token is refused because of right ones.
 */
export class WrongTokens {
  /** By the address, in the order of their windows. */
  private readonly addresses = new AgedMap<string, Guesses>();

  /** @param perMinute the permitted wrong tokens of an address; 0 permits all */
  constructor(
    private readonly perMinute: number,
    private readonly known: KnownTokens,
    private readonly clock: Clock,
    private readonly maxAddresses = MAX_ADDRESSES,
  ) {}

  /** The number of stored addresses. */
  get size(): number {
    return this.addresses.size;
  }

  /**
   * Looks up a token, unless its address has guessed too often.
   *
   * @param address returns the address; called only when it is needed
   * @param ownerOf whose token it is, by the result of the look-up
   * @throws AppError too_many_wrong_tokens, and the errors of the look-up; those of the kind `unauthenticated` count
   */
  async lookUp<T>(
    tokenHash: string,
    address: () => string,
    find: () => Promise<T>,
    ownerOf: (found: T) => RequestOwner,
  ): Promise<T> {
    if (this.perMinute === 0) return find();
    const findAndRemember = async () => {
      const found = await find();
      this.known.remember(tokenHash, ownerOf(found));
      return found;
    };
    return this.known.has(tokenHash) ? findAndRemember() : this.guess(tokenHash, address(), findAndRemember);
  }

  private async guess<T>(tokenHash: string, address: string, find: () => Promise<T>): Promise<T> {
    for (;;) {
      const guesses = this.guessesOf(address);
      if (guesses.wrong >= this.perMinute) throw this.refusal(guesses);
      if (guesses.wrong + guesses.pending < this.perMinute) return this.count(address, guesses, find);
      await guesses.change();
      // A concurrent request may have shown that the token is right.
      if (this.known.has(tokenHash)) return find();
    }
  }

  private async count<T>(address: string, guesses: Guesses, find: () => Promise<T>): Promise<T> {
    guesses.pending += 1;
    try {
      const found = await find();
      guesses.end(null);
      return found;
    } catch (error) {
      const isWrong = error instanceof AppError && error.kind === 'unauthenticated';
      if (isWrong) guesses.wrong += 1;
      guesses.end(isWrong ? null : error);
      throw error;
    } finally {
      if (guesses.wrong + guesses.pending === 0 && this.addresses.get(address) === guesses) {
        this.addresses.delete(address);
      }
    }
  }

  private guessesOf(address: string): Guesses {
    const now = this.clock.now().getTime();
    const known = this.addresses.get(address);
    if (known !== undefined && !isOver(known, now)) return known;
    const guesses = new Guesses(now);
    this.addresses.put(address, guesses);
    this.forgetOldest(now);
    return guesses;
  }

  /** Forgets at most two addresses whose window is over, and the oldest one when there are too many. */
  private forgetOldest(now: number): void {
    for (let checked = 0; checked < 2; checked += 1) {
      const oldest = this.addresses.oldest();
      if (oldest === null) return;
      const [address, guesses] = oldest;
      if (!isOver(guesses, now) && this.addresses.size <= this.maxAddresses) return;
      this.addresses.delete(address);
    }
  }

  private refusal({ startedAt }: Guesses): AppError {
    const leftMs = startedAt + WINDOW_MS - this.clock.now().getTime();
    return new AppError('too_many_wrong_tokens', { retryAfterS: Math.max(1, Math.ceil(leftMs / SECOND_MS)) });
  }
}

/** A clock that went back by more than a minute ends the window too. */
function isOver({ startedAt }: Guesses, now: number): boolean {
  return Math.abs(now - startedAt) >= WINDOW_MS;
}

function deferred(): Deferred<void> {
  let resolve: (() => void) | undefined;
  let reject: ((reason: unknown) => void) | undefined;
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve: () => resolve?.(), reject: (reason) => reject?.(reason) };
}
