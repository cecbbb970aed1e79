import {
  appendFile,
  copyFile,
  type FileHandle,
  mkdtemp,
  open,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { openFilesIn } from '../testing/open-files.js';
import { LogFile } from './log-file.js';
import { LogFollower } from './log-follower.js';

const BROKEN = Object.assign(new Error('input/output error'), { code: 'EIO' });

describe('reading a log that is copied and truncated', () => {
  let folder: string;
  let log: string;
  let follower: LogFollower;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-follower-'));
    log = join(folder, 'dovecot.log');
    await writeFile(log, '');
    follower = new LogFollower(log, null);
    await follower.read();
  });
  afterEach(async () => {
    await follower.close();
    await rm(folder, { recursive: true, force: true });
  });

  const lines = async () => (await follower.read())?.lines;

  it.each([
    ['shorter than before', 'new\n', ['new']],
    ['as long as before', 'new 1\nnew 2\n', ['new 1', 'new 2']],
    ['longer than before', 'new 1\nnew 2\nnew 3\n', ['new 1', 'new 2', 'new 3']],
  ])('begins anew when it is %s at the next look', async (_length, text, expected) => {
    await appendFile(log, 'old 1\nold 2\n');
    expect(await lines()).toEqual(['old 1', 'old 2']);
    await truncate(log);
    await appendFile(log, text);
    expect(await lines()).toEqual(expected);
    await appendFile(log, 'more\n');
    expect(await lines()).toEqual(['more']);
  });

  /** Rotates as logrotate's `copytruncate`. */
  async function copyAndTruncate(): Promise<void> {
    await copyFile(log, `${log}.1`);
    await truncate(log);
  }
  /** Reads until there is nothing more. */
  async function rest(of: LogFollower): Promise<string[]> {
    const found: string[] = [];
    for (let read = await of.read(); read !== null && read.lines.length > 0; read = await of.read()) {
      found.push(...read.lines);
    }
    return found;
  }

  it('reads what was written to it between the last look and the copy, and then what is written anew', async () => {
    await appendFile(log, 'old 1\nold 2\n');
    expect(await lines()).toEqual(['old 1', 'old 2']);
    await appendFile(log, 'old 3\n');
    await copyAndTruncate();
    expect(await rest(follower)).toEqual(['old 3']);
    await appendFile(log, 'new 1\nnew 2\nnew 3\nnew 4\n');
    expect(await rest(follower)).toEqual(['new 1', 'new 2', 'new 3', 'new 4']);
    await copyAndTruncate();
    await appendFile(log, 'newer\n');
    expect(await rest(follower)).toEqual(['newer']);
  });

  it('reads nothing twice, and nothing too little, when that happened while nobody read it', async () => {
    await appendFile(log, 'old 1\nold 2\n');
    const position = (await follower.read())?.position ?? null;
    await appendFile(log, 'old 3\n');
    await copyAndTruncate();
    await appendFile(log, 'new 1\nnew 2\nnew 3\nnew 4\n');
    const later = new LogFollower(log, position);
    expect(await rest(later)).toEqual(['old 3', 'new 1', 'new 2', 'new 3', 'new 4']);
    await later.close();
  });

  it('goes on where it was when the log only grew, also from a stored position', async () => {
    await appendFile(log, 'first\n');
    expect(await lines()).toEqual(['first']);
    await appendFile(log, `${'second '.repeat(20)}\n`);
    const read = await follower.read();
    expect(read?.lines).toHaveLength(1);
    const later = new LogFollower(log, read?.position ?? null);
    await appendFile(log, 'third\n');
    expect((await later.read())?.lines).toEqual(['third']);
    await later.close();
  });
});

describe('reading a log whose disk fails', () => {
  let folder: string;
  let log: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-follower-'));
    log = join(folder, 'dovecot.log');
    await writeFile(log, 'one\n');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Replaces a method of all open files. */
  async function failing(method: 'read' | 'stat') {
    const file = await open(log);
    const spy = jest.spyOn(Object.getPrototypeOf(file) as FileHandle, method);
    await file.close();
    return spy.mockRejectedValue(BROKEN);
  }

  it.each(['read', 'stat'] as const)('leaves no file open when %s fails at a stored position', async (method) => {
    const { ino: inode } = await stat(log);
    const spy = await failing(method);
    await expect(LogFile.open(log, { inode, head: 'b25l', offset: 3 })).rejects.toBe(BROKEN);
    spy.mockRestore();
    expect(await openFilesIn(folder)).toEqual([]);
  });

  it('leaves the next file closed when the rotated file cannot be read, and reads both later', async () => {
    const follower = new LogFollower(log, null);
    expect((await follower.read())?.lines).toEqual([]);
    await appendFile(log, 'two\n');
    await follower.read();
    await rename(log, `${log}.1`);
    await writeFile(log, 'three\n');
    const reads = jest.spyOn(LogFile.prototype, 'readLines');
    reads.mockResolvedValueOnce([]).mockRejectedValueOnce(BROKEN);
    await expect(follower.read()).rejects.toBe(BROKEN);
    expect(await openFilesIn(folder)).toEqual([`${log}.1`]);
    reads.mockRestore();
    expect((await follower.read())?.lines).toEqual(['three']);
    await follower.close();
    expect(await openFilesIn(folder)).toEqual([]);
  });
});
