import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export type Chunk = [type: string, data: Buffer];

export interface MadeHeader {
  width: number;
  height: number;
  bitDepth: number;
  colourType: number;
  interlace: number;
}

const ONE_PIXEL: MadeHeader = { width: 1, height: 1, bitDepth: 8, colourType: 2, interlace: 0 };

export function header(fields: Partial<MadeHeader> = {}): Chunk {
  const { width, height, bitDepth, colourType, interlace } = { ...ONE_PIXEL, ...fields };
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([bitDepth, colourType, 0, 0, interlace], 8);
  return ['IHDR', data];
}

/** @param bytes the rows before they are compressed */
export function pixels(bytes: Buffer): Chunk {
  return ['IDAT', deflateSync(bytes)];
}

export const PIXEL = pixels(Buffer.from([0, 255, 0, 0]));
export const END: Chunk = ['IEND', Buffer.alloc(0)];

export function png(...chunks: Chunk[]): Buffer {
  return Buffer.concat([SIGNATURE, ...chunks.map(([type, data]) => chunk(type, data))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Reads a PNG that is known to be right. */
export function chunksIn(file: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    chunks.push([file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  return chunks;
}
