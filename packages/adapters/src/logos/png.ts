import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';
import { LOGO_MAX_BYTES, LOGO_MAX_PIXELS } from '@mailstead/core/brands/logo';
import { hasKnownFilters, hasKnownPixels, type PngHeader, sizeOfRows } from './png-rows.js';
import { tooLargeAnew, unsafeLogo } from './unsafe-logo.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The length and the type before the data of a chunk, and the checksum after it. */
const AROUND_DATA = 12;
const KEPT = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
const PALETTE = 3;
const WITH_ALPHA = [4, 6];

const inflated = promisify(inflate);
const deflated = promisify(deflate);

interface Chunk {
  type: string;
  data: Buffer;
}

/** The parts of a PNG that are written anew. */
interface Parts {
  header: Chunk;
  palette: Chunk | null;
  transparency: Chunk | null;
  compressed: Buffer;
}

/**
 * Writes a PNG anew: header, palette, transparency and pixels, without any other chunk and without what stands behind
 * the end. The pixels are decompressed into no more bytes than the header announces, and compressed again.
 *
 * @throws AppError logo_not_safe
 */
export async function rewritePng(file: Buffer): Promise<Buffer> {
  const parts = partsOf(chunksOf(file));
  const header = headerOf(parts.header.data);
  checkColours(header, parts);
  const pixels = await pixelsOf(parts.compressed, sizeOfRows(header));
  if (!hasKnownFilters(header, pixels)) throw unsafeLogo('has a row of pixels with an unknown filter');
  const chunks = [
    parts.header,
    parts.palette,
    parts.transparency,
    { type: 'IDAT', data: await compressed(pixels) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ];
  return Buffer.concat([SIGNATURE, ...chunks.filter((chunk) => chunk !== null).map(written)]);
}

/** Reads the chunks up to the end of the image. Checks the checksum of each, also of those that are not kept. */
function chunksOf(file: Buffer): Chunk[] {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw unsafeLogo('is not a PNG');
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; chunks.at(-1)?.type !== 'IEND'; ) {
    if (at + AROUND_DATA > file.length) throw unsafeLogo('ends in the middle of the PNG');
    const length = file.readUInt32BE(at);
    const end = at + AROUND_DATA + length;
    if (end > file.length) throw unsafeLogo('ends in the middle of a chunk');
    const covered = file.subarray(at + 4, end - 4);
    const type = covered.toString('latin1', 0, 4);
    if (!/^[A-Za-z]{4}$/.test(type)) throw unsafeLogo('has a chunk without a name');
    if (crc32(covered) !== file.readUInt32BE(end - 4)) throw unsafeLogo(`has a wrong checksum in the chunk ${type}`);
    chunks.push({ type, data: covered.subarray(4) });
    at = end;
  }
  return chunks;
}

function partsOf(chunks: Chunk[]): Parts {
  const unknown = chunks.find(({ type }) => isCritical(type) && !KEPT.includes(type));
  if (unknown !== undefined) throw unsafeLogo(`has the unknown chunk ${unknown.type}`);
  const kept = chunks.filter(({ type }) => KEPT.includes(type));
  const order = kept.map(({ type }) => type).join(' ');
  if (!/^IHDR(?: PLTE)?(?: tRNS)?(?: IDAT)+ IEND$/.test(order)) throw unsafeLogo('has its chunks in a wrong order');
  // Nothing, not even a chunk that is not kept, stands between the parts of the pixels.
  const [first, last] = [0, chunks.length - 1].map((from) => indexOfPixels(chunks, from));
  if (chunks.slice(first, last).some(({ type }) => type !== 'IDAT')) throw unsafeLogo('has parted pixels');
  const named = (name: string) => kept.find(({ type }) => type === name) ?? null;
  return {
    header: kept[0] ?? { type: 'IHDR', data: Buffer.alloc(0) },
    palette: named('PLTE'),
    transparency: named('tRNS'),
    compressed: Buffer.concat(kept.filter(({ type }) => type === 'IDAT').map(({ data }) => data)),
  };
}

/** The first chunk of pixels from the front, or the last one from the back. */
function indexOfPixels(chunks: Chunk[], from: number): number {
  const isPixels = ({ type }: Chunk) => type === 'IDAT';
  return from === 0 ? chunks.findIndex(isPixels) : chunks.findLastIndex(isPixels);
}

/** A decoder must know the chunks whose name begins with a capital letter. */
function isCritical(type: string): boolean {
  return /^[A-Z]/.test(type);
}

function headerOf(data: Buffer): PngHeader {
  if (data.length !== 13) throw unsafeLogo('has a header of a wrong length');
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [bitDepth = 0, colourType = 0, compression, filter, interlace = 0] = data.subarray(8);
  const header = { width, height, bitDepth, colourType, isInterlaced: interlace === 1 };
  if (width === 0 || height === 0 || width > LOGO_MAX_PIXELS || height > LOGO_MAX_PIXELS)
    throw unsafeLogo(`must have 1 to ${LOGO_MAX_PIXELS} pixels on each side`);
  if (!hasKnownPixels(header) || compression !== 0 || filter !== 0 || interlace > 1)
    throw unsafeLogo('has an unknown form of pixels');
  return header;
}

/** Checks the palette and the transparency against the kind of pixels. */
function checkColours({ colourType, bitDepth }: PngHeader, { palette, transparency }: Parts): void {
  const colours = (palette?.data.length ?? 0) / 3;
  const most = colourType === PALETTE ? 2 ** bitDepth : 256;
  const mayHave = colourType === PALETTE || colourType === 2 || colourType === 6;
  const isFit = palette === null ? colourType !== PALETTE : mayHave && Number.isInteger(colours) && colours >= 1;
  if (!isFit || colours > most) throw unsafeLogo('has a palette that does not fit its pixels');
  if (transparency === null) return;
  const { length } = transparency.data;
  const isRight = colourType === PALETTE ? length >= 1 && length <= colours : length === (colourType === 0 ? 2 : 6);
  if (WITH_ALPHA.includes(colourType) || !isRight) throw unsafeLogo('has a transparency that does not fit its pixels');
}

/** Decompresses into at most `size` bytes, however much the data holds. */
async function pixelsOf(compressed: Buffer, size: number): Promise<Buffer> {
  const pixels = await inflated(compressed, { maxOutputLength: size }).catch((cause: unknown) => {
    throw unsafeLogo('has pixels that do not decompress to its size', cause);
  });
  if (pixels.length !== size) throw unsafeLogo('has fewer pixels than its size');
  return pixels;
}

/**
 * Stops at the most bytes of a logo. Pixels of which zlib misses most repetitions take it seconds as a whole, and their
 * file is refused anyway.
 */
async function compressed(pixels: Buffer): Promise<Buffer> {
  return await deflated(pixels, { level: 9, maxOutputLength: LOGO_MAX_BYTES }).catch((cause: unknown) => {
    throw tooLargeAnew(cause);
  });
}

function written({ type, data }: Chunk): Buffer {
  const chunk = Buffer.alloc(AROUND_DATA + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
