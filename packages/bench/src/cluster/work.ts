/** One kind of work of the load: what was sent, what came back, and what was found of it at the end. */
export class Work {
  acknowledged = 0;
  /** Sent and never acknowledged: each may have taken effect, at most once. */
  unanswered = 0;
  found = 0;
  lost = 0;
  doubled = 0;
  longestGapMs = 0;
  readonly errors = new Map<string, number>();
  private lastAt: number;
  private gapSinceMs = 0;

  /** @param now milliseconds of a clock that only moves forward */
  constructor(
    readonly name: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.lastAt = now();
  }

  acknowledge(): void {
    this.acknowledged += 1;
    this.closeGap();
  }

  fail(reason: string): void {
    this.errors.set(reason, (this.errors.get(reason) ?? 0) + 1);
  }

  /** Nothing was acknowledged from the last time on, also when it still goes on. */
  closeGap(): void {
    const now = this.now();
    const gap = now - this.lastAt;
    this.longestGapMs = Math.max(this.longestGapMs, gap);
    this.gapSinceMs = Math.max(this.gapSinceMs, gap);
    this.lastAt = now;
  }

  /** The longest gap since the last call. */
  takeGap(): number {
    const running = this.now() - this.lastAt;
    const gap = Math.max(this.gapSinceMs, running);
    this.gapSinceMs = 0;
    this.longestGapMs = Math.max(this.longestGapMs, gap);
    return gap;
  }

  /**
   * Compares a counter with what was sent: less than what was acknowledged is lost, more than everything that was sent
   * is doubled.
   *
   * @param counted the counter
   * @param ids the ids that were counted; each counts once
   */
  compareCounter(sent: { acknowledged: number; unanswered: number }, counted: number, ids: number): void {
    const missing = Math.max(0, sent.acknowledged - counted);
    this.lost += missing;
    this.found += sent.acknowledged - missing;
    this.doubled += Math.max(0, counted - sent.acknowledged - sent.unanswered, counted - ids);
  }
}

/**
 * Whether an earlier change, whose caller had stopped waiting and had repeated it at another API, took effect once more
 * after a newer one. HTTP promises no order between a request without an answer and a later one.
 *
 * @param history the values in the order in which they took effect, as the audit log has them
 * @param own the newer value, which was acknowledged
 */
export function isOvertaken<Value>(history: readonly Value[], own: Value): boolean {
  const [newest, at] = [history.at(-1), history.lastIndexOf(own)];
  return newest !== undefined && at >= 0 && at < history.length - 1 && history.slice(0, at).includes(newest);
}

/** The table at the end. */
export function tableOf(works: readonly Work[]): Record<string, string | number>[] {
  return works.map(({ name, acknowledged, found, lost, doubled, unanswered, longestGapMs, errors }) => ({
    work: name,
    acknowledged,
    found,
    lost,
    doubled,
    unanswered,
    'longest gap, s': Number((longestGapMs / 1_000).toFixed(1)),
    errors: [...errors].map(([reason, count]) => `${count} × ${reason}`).join(', '),
  }));
}

/** Returns a sentence for everything that was lost or doubled, and for work that never succeeded. */
export function unkept(works: readonly Work[]): string[] {
  return works.flatMap(({ name, acknowledged, lost, doubled }) => [
    ...(acknowledged === 0 ? [`${name}: nothing was acknowledged`] : []),
    ...(lost === 0 ? [] : [`${name}: ${lost} of ${acknowledged} acknowledged were lost`]),
    ...(doubled === 0 ? [] : [`${name}: ${doubled} took effect twice`]),
  ]);
}
