import { MilterProtocolError } from './milter-protocol-error.js';

export interface MilterPacket {
  letter: string;
  /** A view that is valid until the next packet is read. */
  data: Buffer;
}

const EMPTY = Buffer.alloc(0);

/**
 * Splits a stream of bytes into packets. Reads the stream only as fast as the caller takes packets. Buffers at most one
 * packet and one chunk, and nothing between packets.
 *
 * @param limit the largest packet, in bytes.
 * @throws MilterProtocolError when a packet is empty or larger than the limit, or the stream ends inside a packet.
 */
export async function* readPackets(stream: AsyncIterable<Buffer>, limit: number): AsyncGenerator<MilterPacket> {
  let held: Buffer = EMPTY;
  let filled = 0;
  for await (const chunk of stream) {
    // Doubling the size keeps the cost linear when single bytes arrive.
    if (filled + chunk.length > held.length) held = grown(held, filled, filled + chunk.length);
    chunk.copy(held, filled);
    filled += chunk.length;
    let start = 0;
    while (filled - start >= 4) {
      const length = held.readUInt32BE(start);
      if (length === 0 || length > limit) throw new MilterProtocolError(`a packet of ${length} bytes`);
      const end = start + 4 + length;
      if (end > filled) break;
      yield { letter: String.fromCharCode(held.readUInt8(start + 4)), data: held.subarray(start + 5, end) };
      start = end;
    }
    held.copyWithin(0, start, filled);
    filled -= start;
    if (filled === 0) held = EMPTY;
  }
  if (filled > 0) throw new MilterProtocolError('the connection broke off inside a packet');
}

function grown(held: Buffer, filled: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(needed, held.length * 2));
  held.copy(larger, 0, 0, filled);
  return larger;
}
