import { appendFile, type FileHandle, mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { openFilesIn } from '../testing/open-files.js';
import { LogFile } from './log-file.js';
import { LogFollower } from './log-follower.js';

const BROKEN = Object.assign(new Error('input/output error'), { code: 'EIO' });

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
