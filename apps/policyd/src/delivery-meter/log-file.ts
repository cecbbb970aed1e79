import { type FileHandle, open } from 'node:fs/promises';
import type { LogPosition } from './log-position.js';

const HEAD_BYTES = 64;
/** Longer lines cannot be deliveries and are skipped. */
const CHUNK_BYTES = 262_144;
const NEWLINE = 10;

/** An open log file. It stays readable after it is renamed or removed. */
export class LogFile {
  /** The first bytes when it was last read. Fewer than a head: it was shorter. */
  private known: Buffer = Buffer.alloc(0);

  private constructor(
    private readonly handle: FileHandle,
    readonly inode: number,
    private offset: number,
  ) {}

  /** Opens a file at its start, at its end, or at a position in it. @returns null when the file does not exist. */
  static async open(path: string, from: 'start' | 'end' | LogPosition): Promise<LogFile | null> {
    const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (handle === null) return null;
    let file: LogFile | null = null;
    try {
      file = await LogFile.at(handle, from);
      return file;
    } finally {
      if (file === null) await handle.close();
    }
  }

  /**
   * Returns the complete lines of the next 256 KiB; none at the end. Starts over when the file was truncated, also when
   * it has grown again to at least its former size, which its first bytes tell.
   */
  async readLines(): Promise<string[]> {
    const { size } = await this.handle.stat();
    const begin = await this.head(HEAD_BYTES);
    const isSame = begin.subarray(0, this.known.length).equals(this.known);
    this.known = begin;
    if (size < this.offset || !isSame) this.offset = 0;
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await this.handle.read(buffer, 0, CHUNK_BYTES, this.offset);
      const end = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1;
      if (end > 0) {
        this.offset += end;
        return buffer.toString('utf8', 0, end - 1).split('\n');
      }
      if (bytesRead < CHUNK_BYTES) return [];
      this.offset += bytesRead;
    }
  }

  /** The position after the lines that were read. */
  position(): LogPosition {
    return { inode: this.inode, head: this.known.toString('base64'), offset: this.offset };
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  /** @returns null when the position is in another file. */
  private static async at(handle: FileHandle, from: 'start' | 'end' | LogPosition): Promise<LogFile | null> {
    const { ino, size } = await handle.stat();
    const file = new LogFile(handle, ino, from === 'end' ? size : 0);
    if (typeof from === 'string') return file;
    if (!(await file.begins(from))) return null;
    file.offset = from.offset;
    file.known = Buffer.from(from.head, 'base64');
    return file;
  }

  private async begins({ inode, head }: LogPosition): Promise<boolean> {
    const expected = Buffer.from(head, 'base64');
    return inode === this.inode && (await this.head(expected.length)).equals(expected);
  }

  private async head(length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  }
}
