import { Writable } from 'node:stream';

/**
 * Writes all lines of one turn of the event loop at once: a system call for each line costs a busy service more than making it.
 * What is left when the process ends is written then.
 */
export class LineWriter extends Writable {
  private pending = '';

  constructor(private readonly output: NodeJS.WritableStream) {
    super({ decodeStrings: false, highWaterMark: Number.MAX_SAFE_INTEGER });
    process.once('exit', () => this.flush());
  }

  override _write(line: string | Buffer, _: BufferEncoding, done: () => void): void {
    if (this.pending === '') setImmediate(() => this.flush());
    this.pending += line.toString();
    done();
  }

  private flush(): void {
    const lines = this.pending;
    this.pending = '';
    if (lines !== '') this.output.write(lines);
  }
}
