import { mkdir, readdir, readFile, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { until } from '@mailstead/core/testing/until';
import type { Database } from '../database/driver/database.js';
import { sqliteFile } from '../database/driver/open-database.js';
import { migrate } from '../database/migrations/migrate.js';
import { readTables } from '../database/recovery/mysql-tables.js';
import { readRestoreMark } from '../database/recovery/restore-mark.js';
import { onEachDatabase, type TestDatabase } from '../database/testing/database-fixture.js';
import { expectNewestSchema } from '../database/testing/empty-databases.js';
import { openReusedDatabase, type ReusedDatabase } from '../database/testing/reused-database.js';
import { Progress } from './progress.js';
import { takeBackup } from './take-backup.js';
import { BackupWorld } from './testing/backup-world.js';

const PARTNER = 'INSERT INTO partner (ref, domain_count, last_created_at) VALUES (?, 0, 0)';

onEachDatabase((kind) => {
  const world = new BackupWorld(kind);
  let reused: ReusedDatabase;
  let source: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    reused = await openReusedDatabase(kind);
  });
  afterAll(() => reused.close());
  beforeEach(async () => {
    await world.open();
    source = await reused.asNew();
    database = source.database;
  });
  afterEach(() => world.close());

  /** A database that a test leaves as no other test could use it. */
  const openOwn = async () => {
    const own = await world.location();
    const opened = await world.database(own);
    await migrate(opened);
    return { own, opened };
  };
  const partners = async (of: Database) =>
    (await of.read<{ ref: string }>("SELECT ref FROM partner WHERE ref <> '' ORDER BY id")).map(({ ref }) => ref);

  it('is a folder of mode 0700 with files of mode 0600, and its manifest says what is in it', async () => {
    await database.write(PARTNER, ['acme']);
    const manifest = await world.backup(source, 'one');
    expect(JSON.parse(await readFile(world.path('one/manifest.json'), 'utf8'))).toEqual(manifest);
    expect((await stat(world.path('one'))).mode & 0o777).toBe(0o700);
    expect(await readdir(world.folder)).toEqual(['one']);
    const names = [kind === 'sqlite' ? 'database.sqlite.gz' : 'database.sql.gz', 'manifest.json'];
    expect((await readdir(world.path('one'))).sort()).toEqual(names);
    for (const name of names) expect((await stat(world.path(`one/${name}`))).mode & 0o777).toBe(0o600);
    expect(manifest).toMatchObject({
      format: 1,
      database: kind,
      event_position: 0,
      counts: { partners: 1, api_keys: 0, domains: 0, mailboxes: 0, aliases: 0 },
    });
  });

  it('is not made into a folder that exists, and leaves nothing', async () => {
    await mkdir(world.path('one'));
    await expect(world.backup(source, 'one')).rejects.toThrow('exists already');
    await expect(world.backup(source, 'none/one')).rejects.toThrow('is no folder');
    await expect(world.backup(source, 'two', 'age1wrong')).rejects.toThrow('--encrypt-for');
    expect(await readdir(world.folder)).toEqual(['one']);
  });

  it('that cannot be written says why, and leaves nothing', async () => {
    const progress = new Progress({ isTTY: false, write: () => true });
    progress.show = () => {
      throw new Error('ENOSPC: no space left on device, write');
    };
    const { signal } = new AbortController();
    await expect(
      takeBackup(world.config(source), { to: world.path('one'), encryptFor: null, progress, signal }),
    ).rejects.toThrow(/^ENOSPC: no space left on device, write$/);
    expect(await readdir(world.folder)).toEqual([]);
  });

  it('of an embedded database does not take the last room of the service', async () => {
    if (kind === 'mariadb') return;
    const { own } = await openOwn();
    const { bavail, bsize } = await statfs(own.dataDir);
    // Bytes behind the end of the database, which are not on the disk.
    await truncate(sqliteFile(own.dataDir), bavail * bsize + 2 ** 30);
    await expect(world.backup(own, 'one')).rejects.toThrow(/^DATA_DIR needs \d+ MB of free space/);
    expect(await readdir(world.folder)).toEqual([]);
    expect((await readdir(own.dataDir)).filter((name) => name.startsWith('backup-'))).toEqual([]);
  });

  it('is one moment of a service that goes on, and comes back with the same rows and the whole schema', async () => {
    let written = 0;
    const ending = new AbortController();
    const load = (async () => {
      while (!ending.signal.aborted) {
        written += 1;
        await database.write(PARTNER, [`p${written}`]);
      }
    })();
    await until('some writes', async () => written > 20);
    const before = written;
    const manifest = await world.backup(source, 'one');
    ending.abort();
    await load;
    expect(manifest.counts.partners).toBeGreaterThanOrEqual(before - 1);
    const target = await world.location();
    await world.restore(target, 'one');
    const restored = await world.database(target);
    const found = await partners(restored);
    expect(found.length).toBeGreaterThanOrEqual(manifest.counts.partners);
    expect(found.length).toBeLessThanOrEqual(written);
    // No hole: the rows were written one after the other.
    expect(found).toEqual(Array.from({ length: found.length }, (_, index) => `p${index + 1}`));
    await expectNewestSchema(restored);
    if (kind === 'mariadb') expect(await readTables(restored)).toEqual(await readTables(database));
    expect(await migrate(restored)).toBe(0);
    expect(await readRestoreMark(restored)).toMatchObject({ takenAt: new Date(manifest.taken_at) });
  });

  it('comes back without sessions and codes for one login, and every generated id and revision rises', async () => {
    await database.write(PARTNER, ['acme']);
    const partner = (await database.read<{ id: number }>("SELECT id FROM partner WHERE ref = 'acme'"))[0]?.id ?? 0;
    const link = `INSERT INTO portal_link (code_hash, kind, domain_id, partner_id, created_at, expires_at) VALUES (?, ?, ?, 1, 1, 9999999999999)`;
    await database.write(
      "INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count) VALUES ('a.example', ?, 1, 0, 0, 0, '', 'active', 'off', 'pending', 0, 0)",
      [partner],
      [],
    );
    const id = (await database.read<{ id: number }>('SELECT id FROM domain'))[0]?.id ?? 0;
    await database.write(link, ['a'.repeat(64), 'manage', id]);
    await database.write(link, ['b'.repeat(64), 'dns', id]);
    await world.backup(source, 'one');
    const target = await world.location();
    await world.restore(target, 'one', { raise: 5_000 });
    const restored = await world.database(target);
    expect(await restored.read('SELECT kind FROM portal_link')).toEqual([{ kind: 'dns' }]);
    expect(await restored.read('SELECT * FROM portal_session')).toEqual([]);
    await restored.write(PARTNER, ['new']);
    const [newest] = await restored.read<{ id: number }>("SELECT id FROM partner WHERE ref = 'new'");
    expect(newest?.id).toBe(partner + 5_001);
    expect(await restored.read('SELECT revision FROM domain')).toEqual([{ revision: 5_001 }]);
    expect(await restored.read("SELECT revision, brand_revision FROM partner WHERE ref = 'acme'")).toEqual([
      { revision: 5_001, brand_revision: 5_001 },
    ]);
    expect((await restored.read('SELECT last_position FROM event_position'))[0]).toEqual({ last_position: 5_000 });
  });

  it('of a former schema is migrated', async () => {
    const { own, opened } = await openOwn();
    if (kind === 'sqlite') await opened.write('DROP TABLE event_gap');
    else await opened.writer.query('DROP TABLE event_gap');
    await opened.write("DELETE FROM migration WHERE name LIKE 'CreateEventGap%'");
    await world.backup(own, 'one');
    const target = await world.location();
    await world.restore(target, 'one');
    const restored = await world.database(target);
    expect(await restored.read('SELECT after_position, last_position FROM event_gap')).toEqual([
      { after_position: 0, last_position: 1_000_000 },
    ]);
  });

  it('of a target that is not empty is refused, and the target stays as it was', async () => {
    await world.backup(source, 'one');
    await database.write(PARTNER, ['mine']);
    await expect(world.restore(source, 'one')).rejects.toThrow('not empty');
    expect(await partners(database)).toEqual(['mine']);
    expect(await readRestoreMark(database)).toBeNull();
    if (kind === 'mariadb') return;
    const target = await world.location();
    await writeFile(`${target.dataDir}/notes.txt`, 'mine');
    await expect(world.restore(target, 'one')).rejects.toThrow('not empty');
    expect(await readdir(target.dataDir)).toEqual(['notes.txt']);
  });

  it('that is stopped while it is restored leaves an empty target', async () => {
    await world.backup(source, 'one');
    const target = await world.location();
    const stop = new AbortController();
    const restoring = world.restore(target, 'one', { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(restoring).rejects.toThrow(/stopped|aborted/);
    await world.expectEmpty(target);
    await world.restore(target, 'one');
  });
});
