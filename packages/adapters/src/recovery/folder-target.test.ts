import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimEmbeddedDatabase } from '../database/migrations/migrate.js';
import { FolderTarget } from './folder-target.js';

const FINISHED = ['lock.sqlite', 'mailstead.sqlite', 'master-token', 'secret-key'];

describe('a data folder as the target of a restore', () => {
  let folder: string;
  let dataDir: string;
  const targets: FolderTarget[] = [];
  const target = () => {
    const made = new FolderTarget(dataDir);
    targets.push(made);
    return made;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-target-'));
    dataDir = join(folder, 'new/data');
  });
  afterEach(async () => {
    for (const each of targets.splice(0)) await each.close();
    await rm(folder, { recursive: true });
  });

  it('that another restore finished since the check is refused, and stays as it is', async () => {
    const late = target();
    await mkdir(dataDir, { recursive: true });
    await late.check();
    for (const name of FINISHED) await writeFile(join(dataDir, name), '');
    await expect(late.claim()).rejects.toThrow('not empty');
    await late.undo();
    expect((await readdir(dataDir)).sort()).toEqual(FINISHED);
  });

  it('that a process has taken since the check is refused, and is not marked', async () => {
    const late = target();
    await mkdir(dataDir, { recursive: true });
    await late.check();
    const lock = await claimEmbeddedDatabase(dataDir);
    await expect(late.claim()).rejects.toThrow('Another process');
    await late.undo();
    expect(await readdir(dataDir)).toEqual(['lock.sqlite']);
    await lock.release();
    // What a process leaves that is killed right after it has taken the folder.
    await target().check();
  });

  it('is gone after an undone restore, with the folders that were made for it', async () => {
    const undone = target();
    await undone.check();
    await undone.claim();
    await undone.undo();
    expect(await readdir(folder)).toEqual([]);
  });
});
