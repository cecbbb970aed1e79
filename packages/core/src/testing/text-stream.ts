import { Writable } from 'node:stream';

/** Keeps what is written to it. */
export class TextStream extends Writable {
  text = '';

  override _write(chunk: Buffer | string, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
