import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { migrate } from '@mailstead/adapters/database/migrations/migrate';
import { readTables } from '@mailstead/adapters/database/recovery/mysql-tables';
import { onEachDatabase, type TestLocation } from '@mailstead/adapters/database/testing/database-fixture';
import { BackupWorld } from '@mailstead/adapters/recovery/testing/backup-world';
import { pauseWhen } from '@mailstead/core/testing/pause-when';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const PARTNERS = 60_000;

interface Ended {
  code: number | null;
  said: string;
}

onEachDatabase((kind) => {
  const world = new BackupWorld(kind);
  let source: TestLocation;

  beforeAll(async () => {
    await world.open();
    source = await world.location();
    const database = await world.database(source);
    await migrate(database);
    for (let first = 0; first < PARTNERS; first += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, index) => `('p${first + index}', 0, 0)`).join(', ');
      await database.write(`INSERT INTO partner (ref, domain_count, last_created_at) VALUES ${rows}`);
    }
  });
  afterAll(() => world.close());

  const start = (
    program: 'backup' | 'restore' | 'main',
    at: TestLocation,
    args: string[],
  ): [ChildProcess, Promise<Ended>] => {
    const environment = world.environment(at, { PORT: '0' });
    const child = spawn(process.execPath, [`${ROOT}apps/api/dist/${program}.js`, ...args], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    return [child, once(child, 'close').then(([code]) => ({ code: code as number | null, said }))];
  };
  const count = async (at: TestLocation) => {
    const database = await world.database(at);
    const [row] = await database.read<{ count: number }>("SELECT COUNT(*) AS count FROM partner WHERE ref <> ''");
    await database.close();
    return Number(row?.count);
  };

  it('a backup that is killed has no folder of its name, and the next one is whole', async () => {
    const isBegun = () => readdirSync(world.folder).some((name) => name.startsWith('.one.unfinished-'));
    const [child, ended] = start('backup', source, ['--to', world.path('one')]);
    await pauseWhen(child, 'the begin of the backup', async () => isBegun());
    child.kill('SIGKILL');
    await ended;
    expect(existsSync(world.path('one'))).toBe(false);
    expect((await start('backup', source, ['--to', world.path('one')])[1]).code).toBe(0);
  });

  it('a target of a killed restore starts no process, and the next restore starts over', async () => {
    const target = await world.location();
    const database = kind === 'mariadb' ? await world.database(target) : null;
    const has = async (table: string, file: string) =>
      database === null ? existsSync(`${target.dataDir}/${file}`) : (await readTables(database)).tables.includes(table);
    const points = [
      () => has('restore_unfinished', 'restore-unfinished'),
      () => has('partner', 'mailstead.sqlite'),
      () => has('write_probe', 'mailstead.sqlite-wal'),
    ];
    for (const point of points) {
      const [child, ended] = start('restore', target, ['--from', world.path('one')]);
      await pauseWhen(child, 'the point of the restore', async () => point());
      child.kill('SIGKILL');
      await ended;
      const service = await start('main', target, [])[1];
      expect(service).toMatchObject({ code: 1 });
      expect(service.said).toMatch(/^A restore was not finished; .*\n$/);
    }
    await database?.close();
    expect(await start('restore', target, ['--from', world.path('one')])[1]).toEqual({ code: 0, said: '' });
    expect(await count(target)).toBe(PARTNERS);
    const second = await start('restore', target, ['--from', world.path('one')])[1];
    expect(second.code).toBe(1);
    expect(second.said).toMatch(/not empty[^\n]*\n$/);
    expect(await start('restore', target, ['--accept'])[1]).toEqual({ code: 0, said: '' });
    expect((await start('restore', target, ['--show'])[1]).said).toBe('Nothing waits to be accepted\n');
  });
});
