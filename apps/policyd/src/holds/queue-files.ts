import { constants, type FileHandle, lstat, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The mark of a message that this program holds: the sticky bit of its queue file, which has no meaning for a file and
 * which Postfix neither reads nor changes. So the mark is where the message is: it survives a restart, cannot get lost
 * without the message, and a message that an operator holds has none.
 */
const MARK = 0o1000;
const PERMISSIONS = 0o7777;
/** The attribute by which Postfix knows when the lifetime of a message began, with the seconds since 1970. */
const CREATED = /^create_time=(\d{10})$/;
/** The attribute is among the first ones of a file. */
const READ_AT_MOST = 65_536;
/** Of the digits of long queue ids. */
const BASE_52 = '0123456789BCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz';
const ATTRIBUTE = 'A'.charCodeAt(0);
const CONTENT = 'M'.charCodeAt(0);

/** The files of a queue of Postfix. A file that moves meanwhile is not found, and is left to the next pass. */
export class QueueFiles {
  private folders: string[] | null = null;

  constructor(private readonly queueDirectory: string) {}

  /** Marks a deferred message. @returns false when it is not there any more */
  async mark(id: string): Promise<boolean> {
    return (await this.withDeferred(id, async (file) => setMark(file, true))) !== null;
  }

  /** @returns null when the message is not there any more, or has no such attribute */
  async createdAt(id: string): Promise<number | null> {
    return this.withDeferred(id, async (file) => (await findCreated(file))?.seconds ?? null);
  }

  /** Opens a held message that has the mark. The caller closes the file. @returns null without the mark */
  async openMarked(id: string): Promise<FileHandle | null> {
    const file = await openOrNull(join(this.queueDirectory, 'hold', id));
    if (file === null || ((await file.stat()).mode & MARK) !== 0) return file;
    await file.close();
    return null;
  }

  /** Removes marks from deferred messages: a pass that was killed may have left them. */
  async unmarkDeferred(): Promise<void> {
    for (const folder of await this.deferredFolders()) {
      for await (const entry of await opendir(folder)) {
        if (!entry.isFile() || !(await isMarked(join(folder, entry.name)))) continue;
        const file = await openOrNull(join(folder, entry.name));
        if (file === null) continue;
        await closedAfter(file, (marked) => setMark(marked, false));
      }
    }
  }

  private async withDeferred<T>(id: string, use: (file: FileHandle) => Promise<T>): Promise<T | null> {
    const folders = await this.deferredFolders();
    const likely = join(this.queueDirectory, 'deferred', folderOf(id));
    // All others only when Postfix spreads its files in another way than by default.
    for (const folder of [likely, ...folders.filter((each) => each !== likely)]) {
      const file = await openOrNull(join(folder, id));
      if (file !== null) return closedAfter(file, use);
    }
    return null;
  }

  /** Postfix spreads deferred messages over folders. They are listed once: new ones are found by the next pass. */
  private async deferredFolders(): Promise<string[]> {
    this.folders ??= await foldersBelow(join(this.queueDirectory, 'deferred'));
    return this.folders;
  }
}

/**
 * The lifetime of a held message begins now, and it is tried at the next look into the queue after its release.
 *
 * @returns false when the lifetime could not be changed
 */
export async function renew(file: FileHandle, now: Date): Promise<boolean> {
  const found = await findCreated(file);
  if (found !== null) {
    const digits = String(Math.floor(now.getTime() / 1_000)).padStart(10, '0');
    await file.write(Buffer.from(digits), 0, digits.length, found.at);
    await file.datasync();
  }
  await file.utimes(now, now);
  return found !== null;
}

export async function setMark(file: FileHandle, isMarked: boolean): Promise<void> {
  const mode = (await file.stat()).mode & PERMISSIONS;
  const wanted = isMarked ? mode | MARK : mode & ~MARK;
  if (wanted !== mode) await file.chmod(wanted);
}

/** The folder of a long queue id by default: the first hexadecimal digit of its microseconds. */
function folderOf(id: string): string {
  const end = id.lastIndexOf('z');
  const microseconds = Array.from(id.slice(end - 4, end)).reduce((sum, digit) => sum * 52 + BASE_52.indexOf(digit), 0);
  return microseconds.toString(16).toUpperCase().padStart(5, '0').slice(0, 1);
}

async function isMarked(path: string): Promise<boolean> {
  const facts = await lstat(path).catch(() => null);
  return facts !== null && (facts.mode & MARK) !== 0;
}

/** Reads the records before the content of a message: type, length in groups of seven bits, text. */
async function findCreated(file: FileHandle): Promise<{ seconds: number; at: number } | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_AT_MOST), 0, READ_AT_MOST, 0);
  let at = 0;
  while (at < bytesRead && buffer[at] !== CONTENT) {
    const type = buffer[at];
    let [length, shift, next] = [0, 0, 1];
    do {
      at += 1;
      next = buffer[at] ?? 0;
      length |= (next & 0x7f) << shift;
      shift += 7;
    } while ((next & 0x80) !== 0 && shift < 28);
    const text = buffer.subarray(at + 1, at + 1 + length).toString('latin1');
    const seconds = type === ATTRIBUTE ? CREATED.exec(text)?.[1] : undefined;
    if (seconds !== undefined) return { seconds: Number(seconds), at: at + 1 + 'create_time='.length };
    at += 1 + length;
  }
  return null;
}

async function closedAfter<T>(file: FileHandle, use: (file: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Only a file of its own: Postfix may write into its folders, root's other files are none of its business. */
async function openOrNull(path: string): Promise<FileHandle | null> {
  try {
    const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const facts = await file.stat();
    if (facts.isFile() && facts.nlink === 1) return file;
    await file.close();
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function foldersBelow(folder: string): Promise<string[]> {
  const found = [folder];
  for await (const entry of await opendir(folder)) {
    if (entry.isDirectory()) found.push(...(await foldersBelow(join(folder, entry.name))));
  }
  return found;
}
