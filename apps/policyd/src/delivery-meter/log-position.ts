import { readFile } from 'node:fs/promises';
import { replaceFile } from '../replace-file.js';

/** A position in a log. The log may be rotated before the position is used. */
export interface LogPosition {
  /** The file's inode, which does not change when the file is renamed. */
  inode: number;
  /** The first bytes of the file in base64. They distinguish it from a later file with the same inode. */
  head: string;
  /** The number of bytes that were read and reported. */
  offset: number;
}

/** The position of a meter that found no log yet: no file has this inode, so the log is read from its beginning. */
export const BEFORE_THE_LOG: LogPosition = { inode: 0, head: '', offset: 0 };

/** Stores a log position in a file. */
export class StoredPosition {
  constructor(private readonly file: string) {}

  /** @returns null when none is stored. @throws Error when the file cannot be read or has other content. */
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
