const EVERY_MS = 200;
const MEGABYTE = 1_000_000;

/** Shows on a terminal what a long command does; writes nothing elsewhere. */
export class Progress {
  private shownAt = 0;
  private hasLine = false;

  constructor(private readonly terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>) {}

  /** The step of the command that begins. */
  step(text: string): void {
    if (!this.terminal.isTTY) return;
    this.end();
    this.terminal.write(`${text}…\n`);
  }

  show(what: string, bytes: number): void {
    const now = performance.now();
    if (!this.terminal.isTTY || now - this.shownAt < EVERY_MS) return;
    this.shownAt = now;
    this.hasLine = true;
    this.terminal.write(`\r\u001b[K${what}: ${(bytes / MEGABYTE).toFixed(1)} MB`);
  }

  /** Clears the line of `show`. */
  end(): void {
    if (this.hasLine) this.terminal.write('\r\u001b[K');
    this.hasLine = false;
  }
}
