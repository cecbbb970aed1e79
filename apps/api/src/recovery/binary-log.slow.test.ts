import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Database } from '@mailstead/adapters/database/driver/database';
import { migrate } from '@mailstead/adapters/database/migrations/migrate';
import { databaseNameOf } from '@mailstead/adapters/recovery/mariadb-programs';
import { BackupWorld } from '@mailstead/adapters/recovery/testing/backup-world';
import { until } from '@mailstead/core/testing/until';
import { startServices } from '../../../../scripts/services.mjs';

const run = promisify(execFile);
const LOG = ['--log-bin=binlog', '--binlog-format=ROW', '--server-id=1'];
/** The commands of `docs/backup.md`. */
const REPLAY = `
gunzip < "$BACKUP" | mariadb --defaults-file="$ACCOUNT" replayed
mariadb --defaults-file="$ACCOUNT" -e "SET GLOBAL slave_exec_mode = 'IDEMPOTENT'"
TZ=UTC mariadb-binlog --start-datetime="$TAKEN_AT" --rewrite-db="$LIVE->replayed" "$LOGS"/binlog.* | mariadb --defaults-file="$ACCOUNT"
mariadb --defaults-file="$ACCOUNT" -e "SET GLOBAL slave_exec_mode = 'STRICT'"
`;

it('a backup and the binary log of a loaded MariaDB bring back everything, so that the restore has no window', async () => {
  const services = await startServices({ mariadb: true, mariadbOptions: LOG });
  const world = new BackupWorld('mariadb');
  try {
    await world.open();
    const at = (name: string) => {
      const url = new URL(services.mariadbUrl);
      url.pathname = `/${name}`;
      return { url: url.toString(), dataDir: world.path('none') };
    };
    const live = { url: services.mariadbUrl, dataDir: world.path('none'), remove: async () => undefined };
    const database = await world.database(live);
    await migrate(database);
    // The log is read from a whole second on, in which no table was created.
    const second = async () => (await database.read<{ at: number }>('SELECT UNIX_TIMESTAMP() AS at'))[0]?.at ?? 0;
    const migratedAt = await second();
    await until('the next second', async () => (await second()) > migratedAt);

    const partners = async (of: Database) =>
      (await of.read<{ ref: string }>("SELECT ref FROM partner WHERE ref <> '' ORDER BY id")).map(({ ref }) => ref);
    const ending = new AbortController();
    let written = 0;
    const write = async () => {
      while (!ending.signal.aborted) {
        written += 1;
        await database.write('INSERT INTO partner (ref, domain_count, last_created_at) VALUES (?, 0, 0)', [
          `p${written}`,
        ]);
        await database.write('UPDATE event_position SET last_position = last_position + 1 WHERE id = 1');
      }
    };
    const load = Promise.all([write(), write(), write()]);
    await until('some writes', async () => written > 20);
    const manifest = await world.backup(live, 'one');
    const inBackup = written;
    await until('some writes in the window', async () => written > inBackup + 20);
    ending.abort();
    await load;

    const { username, password, port } = new URL(services.mariadbUrl);
    const account = ['[client]', 'host=127.0.0.1', `port=${port}`, `user=${username}`, `password=${password}`, ''];
    await writeFile(world.path('account'), account.join('\n'), { mode: 0o600 });
    // A copy: the log of this server goes on.
    const [log] = await database.read<{ base: string }>('SELECT @@log_bin_basename AS base');
    await cp(dirname(String(log?.base)), world.path('logs'), {
      recursive: true,
      filter: (path) => path === dirname(String(log?.base)) || /\/binlog\.\d+$/.test(path),
    });
    await database.write('CREATE DATABASE replayed');
    await database.write('CREATE DATABASE restored');
    await run('bash', ['-eo', 'pipefail', '-c', REPLAY], {
      env: {
        PATH: process.env.PATH,
        ACCOUNT: world.path('account'),
        BACKUP: world.path('one/database.sql.gz'),
        TAKEN_AT: manifest.taken_at.slice(0, 19).replace('T', ' '),
        LIVE: databaseNameOf(services.mariadbUrl),
        LOGS: world.path('logs'),
      },
    });
    const replayed = { ...at('replayed'), remove: async () => undefined };
    expect((await world.backup(replayed, 'two')).event_position).toBe(written);
    const target = { ...at('restored'), remove: async () => undefined };
    await world.restore(target, 'two');
    const restored = await world.database(target);
    expect(await partners(restored)).toEqual(await partners(database));
    expect((await partners(restored)).length).toBe(written);
  } finally {
    await world.close();
    await services.stop();
  }
});
