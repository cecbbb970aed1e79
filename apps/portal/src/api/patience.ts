import { ApiProblem } from '@mailstead/client/api-problem';
import { Refusal } from './problem.js';

/** Statuses that pass by themselves. */
const BUSY = new Set([429, 502, 503, 504]);
const ATTEMPTS = 6;
/** The longest pause, also when the service asks for a longer one. */
const LONGEST_SECONDS = 60;

/** What tests replace. */
interface Clock {
  now: () => number;
  /** Ends early, without an error, when the signal aborts. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Repeats calls that a busy service refuses. When it asks one call to wait (`Retry-After`), all calls of this object
 * wait. Only for calls that may be repeated.
 */
export class Patience {
  private resumeAt = 0;

  constructor(
    private readonly signal: AbortSignal,
    private readonly clock: Clock = CLOCK,
  ) {}

  /** @throws whatever the last attempt threw; the reason of the signal when it is aborted */
  async call<Result>(run: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      await this.pause();
      try {
        return await run();
      } catch (error) {
        if (!passes(error) || attempt >= ATTEMPTS) throw error;
        this.wait(error, attempt);
      }
    }
  }

  /** Has the next call wait: as long as the refusal says, otherwise twice as long for each attempt. */
  wait(refusal: unknown, attempt: number): void {
    const asked = refusal instanceof ApiProblem ? refusal.retryAfter : null;
    const seconds = Math.min(asked ?? 2 ** (attempt - 1), LONGEST_SECONDS);
    this.resumeAt = Math.max(this.resumeAt, this.clock.now() + seconds * 1_000);
  }

  /** Another call may have made the pause longer while this one waited. */
  private async pause(): Promise<void> {
    for (;;) {
      this.signal.throwIfAborted();
      const left = this.resumeAt - this.clock.now();
      if (left <= 0) return;
      await this.clock.sleep(left, this.signal);
    }
  }
}

/** A call without a response, or one that was refused because the service is busy. */
function passes(error: unknown): boolean {
  if (error instanceof ApiProblem) return BUSY.has(error.status);
  return !(error instanceof Refusal) && !(error instanceof DOMException && error.name === 'AbortError');
}

const CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
    }),
};
