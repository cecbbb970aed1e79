import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LogFile } from './log-file.js';
import type { LogPosition } from './log-position.js';

/** Lines of the log, and the position after them. */
export interface ReadLines {
  lines: string[];
  position: LogPosition;
}

const COMPRESSED = /\.(gz|bz2|xz|zst)$/;

/**
 * Reads a log to its end and continues when it grows. The log may be rotated by renaming (each file is read to its end,
 * in order) or by copying and truncating. Files that were rotated and compressed before they were read are skipped.
 */
export class LogFollower {
  private file: LogFile | null = null;
  private started = false;

  constructor(
    private readonly path: string,
    /** The position to continue at. Null starts at the end, so that old deliveries are not read. */
    private readonly from: LogPosition | null,
  ) {}

  /** @returns the next lines, none when nothing new was written; null while the log does not exist. */
  async read(): Promise<ReadLines | null> {
    this.file ??= await this.first();
    if (this.file === null) return null;
    if (await this.file.isTruncated()) await this.continueInCopy(this.file);
    let lines = await this.file.readLines();
    if (lines.length === 0) lines = await this.readRotated(this.file);
    return { lines, position: this.file.position() };
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = null;
  }

  /** Reads the copy of a truncated log to its end, and then the log from its beginning. Without a copy the latter. */
  private async continueInCopy(truncated: LogFile): Promise<void> {
    const copy = await this.copyOf(truncated.position());
    if (copy === null) return;
    this.file = copy;
    await truncated.close();
  }

  private async copyOf(position: LogPosition): Promise<LogFile | null> {
    for (const { path } of await this.rotation()) {
      const copy = await LogFile.openCopy(path, position);
      if (copy !== null) return copy;
    }
    return null;
  }

  /** Continues with the next file when there is one and the current file is read to its end. */
  private async readRotated(current: LogFile): Promise<string[]> {
    const next = await this.next(current.inode);
    if (next === null) return [];
    try {
      // The writer has opened the next file, so the current one does not grow.
      const rest = await current.readLines();
      if (rest.length > 0) return rest;
      this.file = next;
    } finally {
      await (this.file === next ? current : next).close();
    }
    return await next.readLines();
  }

  private async first(): Promise<LogFile | null> {
    const before = this.started;
    this.started = true;
    if (this.from === null) {
      // A log that appears later is read from its beginning.
      return await LogFile.open(this.path, before ? 'start' : 'end');
    }
    const files = await this.rotation();
    for (const { path } of files) {
      const file = await LogFile.open(path, this.from);
      if (file !== null) return file;
    }
    const copy = await this.copyOf(this.from);
    if (copy !== null) return copy;
    // The file was removed or compressed meanwhile, so that those that are left are later ones.
    return await LogFile.open(files[0]?.path ?? this.path, 'start');
  }

  /** Returns the file after this one, once something is written to it. */
  private async next(inode: number): Promise<LogFile | null> {
    const files = await this.rotation();
    const index = files.findIndex((file) => file.inode === inode);
    // The current file was removed, so only the log itself can be next.
    const candidates = index === -1 ? files.filter(({ path }) => path === this.path) : files.slice(index + 1);
    const found = candidates.find(({ size }) => size > 0);
    return found === undefined ? null : await LogFile.open(found.path, 'start');
  }

  /** Returns the rotated files by modification time, oldest first. The log itself is always the last one. */
  private async rotation(): Promise<{ path: string; inode: number; size: number }[]> {
    const folder = dirname(this.path);
    const name = basename(this.path);
    const names = (await readdir(folder)).filter(
      (entry) =>
        (entry === name || entry.startsWith(`${name}.`) || entry.startsWith(`${name}-`)) && !COMPRESSED.test(entry),
    );
    const files = await Promise.all(
      names.map(async (entry) => {
        const path = join(folder, entry);
        const found = await stat(path).catch(() => null);
        return found?.isFile() ? { path, inode: found.ino, size: found.size, changedAt: found.mtimeMs } : null;
      }),
    );
    return files
      .filter((file) => file !== null)
      .sort(
        (one, other) =>
          Number(one.path === this.path) - Number(other.path === this.path) || one.changedAt - other.changedAt,
      );
  }
}
