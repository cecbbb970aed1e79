import { frameOf } from './frame.js';
import { FrameLengthError, FrameReader } from './frame-reader.js';

const TEXTS = ['{"id":1}', `{"text":"${'ä'.repeat(5_000)}"}`, '[]', `"${'x'.repeat(40_000)}"`];
const bytes = Buffer.concat(TEXTS.map(frameOf));

/** Reads the bytes in chunks of a size, and looks at the frames only at the end. */
function readInChunks(size: number): string[] {
  const reader = new FrameReader(50_000);
  const frames: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += size) {
    const chunk = Buffer.from(bytes.subarray(start, start + size));
    frames.push(...reader.read(chunk));
  }
  expect(reader.isInside).toBe(false);
  return frames.map(String);
}

describe('the frames of a connection', () => {
  it.each([1, 2, 3, 7, 4_096, 65_536, 1_000_000])('are the same in chunks of %i bytes', (size) => {
    expect(readInChunks(size)).toEqual(TEXTS);
  });

  it('are refused by their length, before a byte of them is kept', () => {
    const reader = new FrameReader(8);
    expect(() => reader.read(frameOf('123456789').subarray(0, 4))).toThrow(FrameLengthError);
    expect(() => new FrameReader(8).read(Buffer.alloc(4))).toThrow('A frame has 1 to 8 bytes, not 0');
    expect(new FrameReader(8).read(frameOf('12345678')).map(String)).toEqual(['12345678']);
  });
});
