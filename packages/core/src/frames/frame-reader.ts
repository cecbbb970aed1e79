import { LENGTH_BYTES } from './frame.js';

const NOTHING = Buffer.alloc(0);

/** The length of a frame is 0 or above the maximum. What follows on the connection cannot be read. */
export class FrameLengthError extends Error {}

/** Splits the bytes of a connection into frames. Keeps at most twice the longest frame. */
export class FrameReader {
  /** The beginning of a frame is in its first `filled` bytes. */
  private held: Buffer = NOTHING;
  private filled = 0;

  /** @param maxBytes of a frame without its length; may be changed between two calls of `read`. */
  constructor(public maxBytes: number) {}

  /** Whether a frame has begun and is not complete. */
  get isInside(): boolean {
    return this.filled > 0;
  }

  /** @returns the frames that the bytes complete, without their lengths @throws FrameLengthError */
  read(chunk: Buffer): Buffer[] {
    const bytes = this.filled === 0 ? chunk : this.append(chunk);
    const frames: Buffer[] = [];
    let offset = 0;
    while (bytes.length - offset >= LENGTH_BYTES) {
      const length = bytes.readUInt32BE(offset);
      if (length === 0 || length > this.maxBytes) {
        throw new FrameLengthError(`A frame has 1 to ${this.maxBytes} bytes, not ${length}`);
      }
      const begin = offset + LENGTH_BYTES;
      if (bytes.length - begin < length) break;
      offset = begin + length;
      frames.push(bytes.subarray(begin, offset));
    }
    if (offset > 0 || this.filled === 0) this.keep(bytes.subarray(offset));
    return frames;
  }

  /** Grows by doubling, so that a frame that comes byte by byte is not copied for each byte. */
  private append(chunk: Buffer): Buffer {
    const needed = this.filled + chunk.length;
    if (this.held.length < needed) {
      const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.held.length));
      this.held.copy(grown, 0, 0, this.filled);
      this.held = grown;
    }
    chunk.copy(this.held, this.filled);
    this.filled = needed;
    return this.held.subarray(0, needed);
  }

  /** Copies the rest, because complete frames are parts of the same bytes. */
  private keep(rest: Buffer): void {
    this.held = rest.length === 0 ? NOTHING : Buffer.from(rest);
    this.filled = rest.length;
  }
}
