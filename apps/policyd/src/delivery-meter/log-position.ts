import { readFile } from 'node:fs/promises';
import { replaceFile } from '../replace-file.js';

/** A place in a log that may have been rotated since. */
export interface LogPosition {
  /** The file's inode, which it keeps when it is renamed. */
  inode: number;
  /** The first bytes of the file, base64: another file that got the same inode begins otherwise. */
  head: string;
  /** Bytes that are done with. */
  offset: number;
}

/** A place kept in a file over restarts. */
export class StoredPosition {
  constructor(private readonly file: string) {}

  /** Null when none is kept. Throws when the file cannot be read, or holds something else. */
  async load(): Promise<LogPosition | null> {
    const text = await readFile(this.file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') {
        return null;
      }
      throw error;
    });
    if (text === null) {
      return null;
    }
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
