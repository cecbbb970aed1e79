/**
 * Begins one task in each turn of Node's event loop, in the order of the calls. Node serves what has arrived on its
 * sockets between two of them.
 */
export class LoopTurns {
  private readonly waiting: (() => void)[] = [];

  add(task: () => void): void {
    this.waiting.push(task);
    if (this.waiting.length === 1) setImmediate(() => this.next());
  }

  private next(): void {
    const task = this.waiting.shift();
    if (this.waiting.length > 0) setImmediate(() => this.next());
    task?.();
  }
}
