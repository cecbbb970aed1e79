import { MilterProtocolError } from './milter-protocol-error.js';

export interface MilterPacket {
  letter: string;
  /** A view that is valid until the next packet is read. */
  data: Buffer;
}

const EMPTY = Buffer.alloc(0);

/**
 * Splits the bytes of one connection into packets. Buffers at most one packet and one chunk, and nothing between
 * packets.
 */
export class PacketReader {
  private held: Buffer = EMPTY;
  private filled = 0;

  /** @param limit the largest packet, in bytes. */
  constructor(private readonly limit: number) {}

  /** True when the last chunk ended inside a packet. */
  get isInside(): boolean {
    return this.filled > 0;
  }

  /**
   * @returns the packets that are complete with this chunk. All must be taken before the next chunk is read.
   * @throws MilterProtocolError when a packet is empty or larger than the limit.
   */
  *read(chunk: Buffer): Generator<MilterPacket, void, undefined> {
    const bytes = this.filled === 0 ? chunk : this.append(chunk);
    this.filled = 0;
    let start = 0;
    while (bytes.length - start >= 4) {
      const length = bytes.readUInt32BE(start);
      if (length === 0 || length > this.limit) throw new MilterProtocolError(`a packet of ${length} bytes`);
      const end = start + 4 + length;
      if (end > bytes.length) break;
      yield { letter: String.fromCharCode(bytes.readUInt8(start + 4)), data: bytes.subarray(start + 5, end) };
      start = end;
    }
    const rest = bytes.subarray(start);
    if (rest.length === 0) this.held = EMPTY;
    else if (bytes === chunk) this.held = Buffer.from(rest);
    else rest.copy(this.held);
    this.filled = rest.length;
  }

  private append(chunk: Buffer): Buffer {
    const needed = this.filled + chunk.length;
    // Doubling the size keeps the cost linear when single bytes arrive.
    if (needed > this.held.length) this.held = grown(this.held, this.filled, needed);
    chunk.copy(this.held, this.filled);
    return this.held.subarray(0, needed);
  }
}

function grown(held: Buffer, filled: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(needed, held.length * 2));
  held.copy(larger, 0, 0, filled);
  return larger;
}
