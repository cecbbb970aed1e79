import { HeldBytes } from '../held-bytes.js';
import { MilterProtocolError } from './milter-protocol-error.js';

export interface MilterPacket {
  letter: string;
  /** A view that is valid until the next packet is read. */
  data: Buffer;
}

/**
 * Splits the bytes of one connection into packets. Buffers at most one packet and one chunk, and nothing between
 * packets.
 */
export class PacketReader {
  private readonly held = new HeldBytes();

  /** @param limit the largest packet, in bytes. */
  constructor(private readonly limit: number) {}

  /** True when the last chunk ended inside a packet. */
  get isInside(): boolean {
    return this.held.length > 0;
  }

  /**
   * @returns the packets that are complete with this chunk. All must be taken before the next chunk is read.
   * @throws MilterProtocolError when a packet is empty or larger than the limit.
   */
  *read(chunk: Buffer): Generator<MilterPacket, void, undefined> {
    const bytes = this.held.append(chunk);
    let start = 0;
    while (bytes.length - start >= 4) {
      const length = bytes.readUInt32BE(start);
      if (length === 0 || length > this.limit) throw new MilterProtocolError(`a packet of ${length} bytes`);
      const end = start + 4 + length;
      if (end > bytes.length) break;
      yield { letter: String.fromCharCode(bytes.readUInt8(start + 4)), data: bytes.subarray(start + 5, end) };
      start = end;
    }
    this.held.hold(start);
  }
}
