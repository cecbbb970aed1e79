import { Writable } from 'node:stream';

/**
 * Collects the lines of one turn of the event loop and writes them with one system call. Under load, a system call for
 * each line costs more than formatting the line. Pending lines are written when the process exits.
 */
export class LineWriter extends Writable {
  private pending = '';

  constructor(private readonly output: NodeJS.WritableStream) {
    super({ decodeStrings: false, highWaterMark: Number.MAX_SAFE_INTEGER });
  }

  override _write(line: string | Buffer, _: BufferEncoding, done: () => void): void {
    if (this.pending === '') {
      setImmediate(this.flush);
      process.once('exit', this.flush);
    }
    this.pending += line.toString();
    done();
  }

  private readonly flush = (): void => {
    const lines = this.pending;
    this.pending = '';
    process.off('exit', this.flush);
    if (lines !== '') this.output.write(lines);
  };
}
