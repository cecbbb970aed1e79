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

  /** Opens a copy of a file at the same position. @returns null when the file is no such copy */
  static async openCopy(path: string, of: LogPosition): Promise<LogFile | null> {
    if (of.head === '') return null;
    const file = await LogFile.open(path, 'start');
    if (file === null) return null;
    let copy: LogFile | null = null;
    try {
      const { size } = await file.handle.stat();
      const isCopy = file.inode !== of.inode && size >= of.offset && (await file.hasHead(of.head));
      if (isCopy) copy = file.goTo(of);
      return copy;
    } finally {
      if (copy === null) await file.close();
    }
  }

  /**
   * Whether the file was truncated since it was last read, also when it has grown again to at least its former size,
   * which its first bytes tell.
   */
  async isTruncated(): Promise<boolean> {
    const { size } = await this.handle.stat();
    const begin = await this.head(this.known.length);
    return size < this.offset || !begin.equals(this.known);
  }

  /** Returns the complete lines of the next 256 KiB; none at the end. Starts over when the file was truncated. */
  async readLines(): Promise<string[]> {
    if (await this.isTruncated()) this.offset = 0;
    this.known = await this.head(HEAD_BYTES);
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
    return from.inode === ino && (await file.hasHead(from.head)) ? file.goTo(from) : null;
  }

  private goTo({ offset, head }: LogPosition): this {
    this.offset = offset;
    this.known = Buffer.from(head, 'base64');
    return this;
  }

  private async hasHead(head: string): Promise<boolean> {
    const expected = Buffer.from(head, 'base64');
    return (await this.head(expected.length)).equals(expected);
  }

  private async head(length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0);
    const { buffer, bytesRead } = await this.handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  }
}
