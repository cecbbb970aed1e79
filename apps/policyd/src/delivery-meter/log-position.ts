import { readFile } from 'node:fs/promises';
import { replaceFile } from '../replace-file.js';

/** A position in a log that may have been rotated in the meantime. */
export interface LogPosition {
  /** The file's inode, which it keeps when it is renamed. */
  inode: number;
  /** The first bytes of the file in base64; another file with the same inode begins differently. */
  head: string;
  /** The number of bytes that were read and reported. */
  offset: number;
}

/** Keeps a position in a file over restarts. */
export class StoredPosition {
  constructor(private readonly file: string) {}

  /** Returns null when there is none. @throws Error when the file cannot be read or has other content. */
  async load(): Promise<LogPosition | null> {
    const text = await readFile(this.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) return null;
    const position = JSON.parse(text) as LogPosition;
    if (!Number.isSafeInteger(position.inode) || !(position.offset >= 0) || typeof position.head !== 'string') {
      throw new Error(`${this.file} does not hold a position in a log.`);
    }
    return { inode: position.inode, head: position.head, offset: position.offset };
  }

  save(position: LogPosition): Promise<void> {
    return replaceFile(this.file, JSON.stringify(position));
  }
}
