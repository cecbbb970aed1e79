import { open } from 'node:fs/promises';

/**
 * Returns the last whole lines of a file, at most so many bytes, as Latin-1.
 *
 * @throws Error when it cannot be read.
 */
export async function readEnd(path: string, bytes: number): Promise<string[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - bytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, bytes)), 0, Math.min(size, bytes), from);
    const lines = buffer.toString('latin1', 0, bytesRead).split('\n');
    // What is before the first end of a line is the end of a line, and what is after the last one is not yet whole.
    return lines.slice(from === 0 ? 0 : 1, -1);
  } finally {
    await file.close();
  }
}
