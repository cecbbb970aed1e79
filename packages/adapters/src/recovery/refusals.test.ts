import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import type { Database } from '../database/driver/database.js';
import { onEachDatabase, type TestDatabase, type TestLocation } from '../database/testing/database-fixture.js';
import { openReusedDatabase, type ReusedDatabase } from '../database/testing/reused-database.js';
import type { Manifest } from './manifest.js';
import { BackupWorld } from './testing/backup-world.js';

const run = promisify(execFile);

onEachDatabase((kind) => {
  const world = new BackupWorld(kind);
  const dump = kind === 'sqlite' ? 'database.sqlite.gz' : 'database.sql.gz';
  let reused: ReusedDatabase;
  let source: TestDatabase;
  let target: TestLocation;
  let database: Database;

  beforeAll(async () => {
    reused = await openReusedDatabase(kind);
  });
  afterAll(() => reused.close());
  beforeEach(async () => {
    await world.open();
    target = await world.location();
    source = await reused.asNew();
    database = source.database;
  });
  afterEach(() => world.close());

  const refused = async (why: string | RegExp, options: Parameters<typeof world.restore>[2] = {}) => {
    await expect(world.restore(target, 'one', options)).rejects.toThrow(why);
    await world.expectEmpty(target);
  };
  const changed = async (change: (manifest: Manifest) => void) => {
    const path = world.path('one/manifest.json');
    const text = await readFile(path, 'utf8');
    const manifest = JSON.parse(text) as Manifest;
    change(manifest);
    await writeFile(path, JSON.stringify(manifest));
    return () => writeFile(path, text);
  };

  it('a restore is refused, and changes nothing, for what is no backup, a newer one, one of another database, and a damaged one', async () => {
    await refused('is no backup');
    await world.backup(source, 'one');
    for (const newer of [{ schema: 1e15 }, { software: '99.0.0' }, { format: 2 }]) {
      const undo = await changed((manifest) => Object.assign(manifest, newer));
      await refused('newer than this software');
      await undo();
    }
    const undoKind = await changed((manifest) => {
      manifest.database = kind === 'sqlite' ? 'mariadb' : 'sqlite';
    });
    await refused('The backup is of');
    await undoKind();
    const undoPath = await changed((manifest) => {
      manifest.files = manifest.files.map((file) => ({ ...file, path: '../one/manifest.json' }));
    });
    await refused('damaged');
    await undoPath();
    const path = world.path(`one/${dump}`);
    const bytes = await readFile(path);
    for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
      const other = Buffer.from(bytes);
      other[at] = (other[at] ?? 0) ^ 1;
      await writeFile(path, other);
      await refused('has other bytes');
    }
    await writeFile(path, bytes.subarray(0, -1));
    await refused(`has ${bytes.length - 1} bytes instead of`);
    await rm(path);
    await refused('is missing');
    await writeFile(path, bytes);
    await world.restore(target, 'one');
  });

  it('a statement that the server refuses is not in what the restore says: it has rows', async () => {
    if (kind === 'sqlite') return;
    await world.backup(source, 'one');
    const path = world.path(`one/${dump}`);
    const sql = `${gunzipSync(await readFile(path)).toString()}\nINSERT INTO partner (ref, nothing) VALUES ('row-of-a-customer', 1);\n`;
    const bytes = gzipSync(sql);
    await writeFile(path, bytes);
    await changed(({ files: [file] }) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      Object.assign(file ?? {}, { bytes: bytes.length, sha256 });
    });
    await refused(/^mariadb ended with exit code 1: ERROR 1054 [^·]*$/);
  });

  it('a restore with another SECRET_KEY is refused unless that is wanted, and the manifest does not tell the key', async () => {
    await world.backup(source, 'one', null, { SECRET_KEY: 'another-key-of-the-backups-0123456789' });
    expect(await readFile(world.path('one/manifest.json'), 'utf8')).not.toContain('another-key');
    await refused('another SECRET_KEY');
    await world.restore(target, 'one', { otherSecretKey: true });
  });

  it('an encrypted backup tells nothing without its identity, and the program age reads it', async () => {
    const [identity, wrong] = [await generateIdentity(), await generateIdentity()];
    const [file, wrongFile, noFile] = ['identity', 'wrong', 'empty'].map((name) => world.path(name)) as [
      string,
      string,
      string,
    ];
    await writeFile(file, `# created: now\n${identity}\n`);
    await writeFile(wrongFile, `${wrong}\n`);
    await writeFile(noFile, '# nothing\n');
    await database.write("INSERT INTO partner (ref, domain_count, last_created_at) VALUES ('secret-ref', 0, 0)");
    const manifest = await world.backup(source, 'one', await identityToRecipient(identity));
    expect(manifest.files.map(({ path }) => path)).toEqual([`${dump}.age`]);
    await refused('name the file of your age identity');
    await refused('does not open the backup', { identity: wrongFile });
    await refused('has no age identity', { identity: noFile });
    await refused('cannot be read', { identity: world.path('absent') });
    const opened = await run('sh', [
      '-c',
      `age -d -i "$0" "$1" | gunzip | grep -c -a secret-ref`,
      file,
      world.path(`one/${dump}.age`),
    ]).catch((error: { stderr: string }) => ({ stdout: /not found/.test(error.stderr) ? '1' : error.stderr }));
    expect(Number(opened.stdout)).toBeGreaterThan(0);
    await world.restore(target, 'one', { identity: file });
    const restored = await world.database(target);
    expect(await restored.read("SELECT ref FROM partner WHERE ref <> ''")).toEqual([{ ref: 'secret-ref' }]);
  });
});
