const EMPTY = Buffer.alloc(0);

/** The bytes of one connection that wait for the rest of what they begin. */
export class HeldBytes {
  private held: Buffer = EMPTY;
  private appended: Buffer = EMPTY;
  private isChunk = false;
  /** The number of held bytes. */
  length = 0;

  /** @returns the held bytes and the chunk; a view that is valid until the next call */
  append(chunk: Buffer): Buffer {
    this.isChunk = this.length === 0;
    this.appended = this.isChunk ? chunk : this.withHeld(chunk);
    this.length = 0;
    return this.appended;
  }

  /** Holds what `append` returned, from this position on. Without this call nothing is held. */
  hold(start: number): void {
    const rest = this.appended.subarray(start);
    if (rest.length === 0) this.held = EMPTY;
    else if (this.isChunk) this.held = Buffer.from(rest);
    else if (start > 0) rest.copy(this.held);
    this.length = rest.length;
    this.appended = EMPTY;
  }

  private withHeld(chunk: Buffer): Buffer {
    const needed = this.length + chunk.length;
    // Doubling the size keeps the cost linear when single bytes arrive.
    if (needed > this.held.length) this.held = grown(this.held, this.length, needed);
    chunk.copy(this.held, this.length);
    return this.held.subarray(0, needed);
  }
}

function grown(held: Buffer, filled: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(needed, held.length * 2));
  held.copy(larger, 0, 0, filled);
  return larger;
}
