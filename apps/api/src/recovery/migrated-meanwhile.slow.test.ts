import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { migrate } from '@mailstead/adapters/database/migrations/migrate';
import type { TestLocation } from '@mailstead/adapters/database/testing/database-fixture';
import { databaseNameOf } from '@mailstead/adapters/recovery/mariadb-programs';
import { BackupWorld } from '@mailstead/adapters/recovery/testing/backup-world';

const BACKUP = fileURLToPath(new URL('../../dist/backup.js', import.meta.url));
/** More than fits into the pipes, so that the program waits in this table while a later one is changed. */
const PARTNERS = 40_000;
/**
 * In place of `mariadb-dump`: the first runs of it meet a change of a table that they have not read yet. The server
 * then says 1412, as it does for a migration.
 */
const PROGRAM = `#!/bin/bash
set -o pipefail
real=$(PATH="$REAL_PATH" command -v mariadb-dump)
echo run >> "$RUNS"
if [ "$(wc -l < "$RUNS")" -gt "$BROKEN_RUNS" ]; then exec "$real" "$@"; fi
"$real" "$@" | { head -c 1000; mariadb --defaults-file=/dev/fd/3 "$DATABASE" -e 'ALTER TABLE write_probe FORCE' >&2; cat; }
`;

describe('a backup of MariaDB during a migration', () => {
  const world = new BackupWorld('mariadb');
  let source: TestLocation;

  beforeAll(async () => {
    await world.open();
    source = await world.location();
    const database = await world.database(source);
    await migrate(database);
    for (let first = 0; first < PARTNERS; first += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, index) => `('partner-${first + index}', 0, 0)`).join(', ');
      await database.write(`INSERT INTO partner (ref, domain_count, last_created_at) VALUES ${rows}`);
    }
    await mkdir(world.path('programs'));
    await writeFile(world.path('programs/mariadb-dump'), PROGRAM);
    await chmod(world.path('programs/mariadb-dump'), 0o700);
  });
  afterAll(() => world.close());

  const backup = (name: string, brokenRuns: number) =>
    new Promise<{ code: number; said: string; runs: number }>((resolve) => {
      const path = process.env.PATH ?? '';
      const env = {
        ...world.environment(source),
        PATH: `${world.path('programs')}:${path}`,
        REAL_PATH: path,
        RUNS: world.path(`runs-${name}`),
        BROKEN_RUNS: String(brokenRuns),
        DATABASE: databaseNameOf(source.url ?? ''),
      };
      const child = execFile(process.execPath, [BACKUP, '--to', world.path(name)], { env }, (_, __, said) => {
        const runs = readFileSync(world.path(`runs-${name}`), 'utf8')
          .trim()
          .split('\n').length;
        resolve({ code: child.exitCode ?? -1, said, runs });
      });
    });

  it('is made again three times, and is then whole', async () => {
    expect(await backup('third', 3)).toEqual({ code: 0, said: '', runs: 4 });
    const target = await world.location();
    await world.restore(target, 'third');
    const restored = await world.database(target);
    const [row] = await restored.read<{ count: number }>("SELECT COUNT(*) AS count FROM partner WHERE ref <> ''");
    expect(Number(row?.count)).toBe(PARTNERS);
  });

  it('ends with 1 and one sentence when the fourth try is broken too, and leaves nothing', async () => {
    const { code, said, runs } = await backup('never', 9);
    expect({ code, runs }).toEqual({ code: 1, runs: 4 });
    expect(said).toMatch(/^[^\n]*1412[^\n]*\n$/);
    await expect(readFile(world.path('never/manifest.json'))).rejects.toThrow('ENOENT');
  });
});
