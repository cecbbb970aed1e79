import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { AppError } from '@mailstead/core/errors';
import { sampleSize } from '@mailstead/core/testing/sampled';
import fc from '../../../../scripts/fast-check.mjs';
import { rewritePng } from './png.js';
import { type Chunk, chunksIn, END, header, PIXEL, pixels, png } from './testing/made-png.js';

const BIT_DEPTHS: Record<number, number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const SAMPLES: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const ALLOWED = /^IHDR(,PLTE)?(,tRNS)?,IDAT,IEND$/;

const namesIn = (file: Buffer) => chunksIn(file).map(([type]) => type);
const inflatedIn = (file: Buffer) =>
  inflateSync(Buffer.concat(chunksIn(file).flatMap(([type, data]) => (type === 'IDAT' ? [data] : []))));
const palette = (colours: number): Chunk => ['PLTE', Buffer.alloc(3 * colours, 9)];
const transparency = (length: number): Chunk => ['tRNS', Buffer.alloc(length, 7)];

describe('a PNG that is written anew', () => {
  it('keeps header, palette, transparency and pixels, and no other chunk', async () => {
    const image = header({ colourType: 3, bitDepth: 8, width: 2 });
    const row = Buffer.from([0, 0, 1]);
    const file = png(
      image,
      ['gAMA', Buffer.alloc(4)],
      ['eXIf', Buffer.from('GPS of the office')],
      palette(2),
      transparency(1),
      ['tEXt', Buffer.from('Comment\0<script>')],
      pixels(row),
      ['iTXt', Buffer.from('secret')],
      END,
    );
    const written = await rewritePng(Buffer.concat([file, Buffer.from('<html>behind the end')]));
    expect(namesIn(written)).toEqual(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
    expect(inflatedIn(written)).toEqual(row);
    expect(written.toString('latin1')).not.toMatch(/GPS|script|secret|html/);
    expect(await rewritePng(written)).toEqual(written);
  });

  it('has pixels in one chunk, and nothing that stood behind them in the compressed data', async () => {
    const [, data] = PIXEL;
    const parted: Chunk[] = [
      ['IDAT', data.subarray(0, 3)],
      ['IDAT', Buffer.alloc(0)],
      ['IDAT', Buffer.concat([data.subarray(3), Buffer.from('behind the pixels')])],
    ];
    const written = await rewritePng(png(header(), ...parted, END));
    expect(namesIn(written)).toEqual(['IHDR', 'IDAT', 'IEND']);
    expect(written.includes('behind')).toBe(false);
  });

  it('keeps the pixels of every kind and size', async () => {
    const kind = fc.constantFrom(
      ...Object.entries(BIT_DEPTHS).flatMap(([type, depths]) => depths.map((depth) => [Number(type), depth] as const)),
    );
    const size = fc.integer({ min: 1, max: 20 });
    await fc.assert(
      fc.asyncProperty(
        kind,
        size,
        size,
        fc.infiniteStream(fc.nat(255)),
        async ([colourType, bitDepth], w, h, noise) => {
          const rowLength = Math.ceil((w * (SAMPLES[colourType] ?? 0) * bitDepth) / 8);
          const rows = Buffer.alloc(h * (1 + rowLength));
          for (let at = 0; at < rows.length; at += 1)
            rows[at] = at % (1 + rowLength) === 0 ? Number(noise.next().value) % 5 : Number(noise.next().value);
          const colours = colourType === 3 ? [palette(2 ** bitDepth)] : [];
          const file = png(header({ width: w, height: h, colourType, bitDepth }), ...colours, pixels(rows), END);
          expect(inflatedIn(await rewritePng(file))).toEqual(rows);
        },
      ),
      { numRuns: sampleSize(200, 50) },
    );
  });

  it.each([
    [1, 1, 2],
    [5, 5, 36],
    [8, 8, 79],
    [3, 1, 6],
  ])('interlaced, %i × %i, has the rows of its passes', async (width, height, size) => {
    const image = header({ width, height, colourType: 0, interlace: 1 });
    await expect(rewritePng(png(image, pixels(Buffer.alloc(size)), END))).resolves.toBeDefined();
    for (const wrong of [size - 1, size + 1])
      await expect(rewritePng(png(image, pixels(Buffer.alloc(wrong)), END))).rejects.toThrow('pixels');
  });

  it('of 1,024 × 1,024 pixels is the largest', async () => {
    const rows = Buffer.alloc(1_024 * 1_025);
    const image = { width: 1_024, height: 1_024, colourType: 0 };
    await expect(rewritePng(png(header(image), pixels(rows), END))).resolves.toBeDefined();
    for (const side of ['width', 'height'])
      await expect(rewritePng(png(header({ ...image, [side]: 1_025 }), pixels(rows), END))).rejects.toThrow('1024');
  });
});

describe('a PNG is refused', () => {
  const wrongSum = png(header(), PIXEL, END);
  wrongSum[wrongSum.length - 20] = (wrongSum[wrongSum.length - 20] ?? 0) ^ 1;
  const wrongSumOfDropped = png(header(), ['tEXt', Buffer.from('x')], PIXEL, END);
  wrongSumOfDropped[wrongSumOfDropped.indexOf('tEXt') + 4] = 0;

  it.each<[string, Buffer]>([
    ['empty', Buffer.alloc(0)],
    ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['without its signature', png(header(), PIXEL, END).subarray(8)],
    ['cut', png(header(), PIXEL, END).subarray(0, -1)],
    ['without an end', png(header(), PIXEL)],
    ['with a length beyond the file', Buffer.concat([png(header()), Buffer.from('ffffffff49444154', 'hex')])],
    ['with a wrong checksum', wrongSum],
    ['with a wrong checksum of a chunk that is left out', wrongSumOfDropped],
    ['with a name of a chunk that is no letters', png(header(), ['ID T', Buffer.alloc(0)], PIXEL, END)],
    ['with an unknown critical chunk', png(header(), ['EVIL', Buffer.alloc(4)], PIXEL, END)],
    ['without pixels', png(header(), END)],
    ['with its header second', png(['tEXt', Buffer.alloc(1)], PIXEL, header(), END)],
    ['with two headers', png(header(), header(), PIXEL, END)],
    ['with a chunk between the pixels', png(header(), PIXEL, ['tEXt', Buffer.alloc(1)], PIXEL, END)],
    ['with a palette after the pixels', png(header({ colourType: 3 }), PIXEL, palette(1), END)],
    ['with a short header', png(['IHDR', Buffer.alloc(12)], PIXEL, END)],
    ['with 0 pixels', png(header({ width: 0 }), pixels(Buffer.from([0])), END)],
    ['with 4,294,967,295 pixels a side', png(header({ width: 2 ** 32 - 1, height: 2 ** 32 - 1 }), PIXEL, END)],
    ['with an unknown colour type', png(header({ colourType: 5 }), PIXEL, END)],
    ['with an unknown bit depth', png(header({ bitDepth: 4 }), PIXEL, END)],
    ['with an unknown interlacing', png(header({ interlace: 2 }), PIXEL, END)],
    ['with an unknown filter', png(header(), pixels(Buffer.from([5, 0, 0, 0])), END)],
    ['with too few pixels', png(header(), pixels(Buffer.from([0, 255, 0])), END)],
    ['with too many pixels', png(header(), pixels(Buffer.from([0, 255, 0, 0, 0])), END)],
    ['with pixels that do not decompress', png(header(), ['IDAT', Buffer.from('not deflated')], END)],
    ['with pixels that are cut', png(header(), ['IDAT', PIXEL[1].subarray(0, -5)], END)],
    ['with indexes but no palette', png(header({ colourType: 3 }), pixels(Buffer.from([0, 0])), END)],
    ['with a palette of half a colour', png(header(), ['PLTE', Buffer.alloc(4)], PIXEL, END)],
    ['with a palette of 257 colours', png(header(), palette(257), PIXEL, END)],
    [
      'with more colours than indexes',
      png(header({ colourType: 3, bitDepth: 1 }), palette(3), pixels(Buffer.alloc(2)), END),
    ],
    ['grey with a palette', png(header({ colourType: 0 }), palette(1), pixels(Buffer.alloc(2)), END)],
    ['with a transparency of a wrong length', png(header(), transparency(5), PIXEL, END)],
    ['with alpha and a transparency', png(header({ colourType: 6 }), transparency(6), pixels(Buffer.alloc(5)), END)],
  ])('%s', async (_, file) => {
    await expect(rewritePng(file)).rejects.toMatchObject({ code: 'logo_not_safe' });
  });

  it('when it holds far more than its size, without decompressing the rest', async () => {
    const bomb = pixels(Buffer.alloc(16 * 1_048_576));
    expect(bomb[1].length).toBeLessThan(65_536);
    const before = process.memoryUsage().arrayBuffers;
    await expect(rewritePng(png(header(), bomb, END))).rejects.toThrow('do not decompress to its size');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1_048_576);
  });

  it('when its pixels would have more bytes than a logo may have, without compressing the rest', async () => {
    const noise = createHash('shake256', { outputLength: 256 * 1_024 }).digest();
    for (let row = 0; row < 1_024; row += 1) noise[row * 256] = 0;
    const file = png(header({ width: 255, height: 1_024, colourType: 0 }), pixels(noise), END);
    await expect(rewritePng(file)).rejects.toThrow('65536 bytes after it was written anew');
  });

  it('or written with allowed chunks only, whatever is changed in it', async () => {
    const image = header({ colourType: 3, bitDepth: 2, width: 4, height: 2 });
    const valid: Chunk[] = [image, palette(4), transparency(2), pixels(Buffer.from([0, 27, 1, 228])), END];
    const names = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', 'tEXt', 'acTL', 'fdAT', 'EVIL'];
    const change = fc.record({
      at: fc.nat(4),
      byte: fc.nat(20),
      value: fc.nat(255),
      kind: fc.constantFrom('byte', 'copy', 'drop', 'name', 'cut'),
      name: fc.constantFrom(...names),
    });
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const chunks: Chunk[] = valid.map(([type, data]) => [type, Buffer.from(data)]);
        for (const { at, byte, value, kind, name } of changes) {
          const [type, data] = chunks[at % chunks.length] ?? END;
          if (kind === 'byte' && data.length > 0) data[byte % data.length] = value;
          if (kind === 'copy') chunks.splice(value % (chunks.length + 1), 0, [type, Buffer.from(data)]);
          if (kind === 'drop' && chunks.length > 1) chunks.splice(at % chunks.length, 1);
          if (kind === 'name') chunks[at % chunks.length] = [name, data];
          if (kind === 'cut') chunks[at % chunks.length] = [type, data.subarray(0, byte)];
        }
        const written = await rewritePng(png(...chunks)).catch((error: unknown) => {
          expect(error).toBeInstanceOf(AppError);
          expect(error).toMatchObject({ code: 'logo_not_safe' });
          return null;
        });
        if (written === null) return;
        kept += 1;
        expect(namesIn(written).join()).toMatch(ALLOWED);
        expect(await rewritePng(written)).toEqual(written);
      }),
      { numRuns: sampleSize(2_000, 500) },
    );
    expect(kept).toBeGreaterThan(sampleSize(20, 5));
  });

  it('whatever bytes it has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (noise, isSigned) => {
        const file = Buffer.concat([isSigned ? png(header()) : Buffer.alloc(0), noise]);
        await expect(rewritePng(file)).rejects.toMatchObject({ code: 'logo_not_safe' });
      }),
      { numRuns: sampleSize(1_000, 200) },
    );
  });
});
