/**
 * A virtual clock. When all other work of the event loop is done, it advances to the earliest pending `sleep` and
 * resolves it.
 */
export class VirtualTime {
  private instant = 1_000_000;
  private sleepers: { at: number; wake: () => void }[] = [];
  private scheduled = false;

  readonly now = (): number => this.instant;

  readonly sleep = (ms: number): Promise<void> =>
    new Promise((wake) => {
      this.sleepers.push({ at: this.instant + ms, wake });
      this.schedule();
    });

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      const next = this.sleepers.sort((a, b) => a.at - b.at).shift();
      if (next === undefined) return;
      this.instant = Math.max(this.instant, next.at);
      next.wake();
      if (this.sleepers.length > 0) this.schedule();
    });
  }
}
