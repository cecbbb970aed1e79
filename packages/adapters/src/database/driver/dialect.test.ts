import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));
const FOLDERS = ['packages/adapters/src', 'packages/core/src', 'apps/api/src', 'apps/worker/src'];

/** The files that compare the name of a dialect, with the reason. */
const ALLOWED = [
  // TypeORM's drivers of the two databases behave differently.
  'packages/adapters/src/database/driver/adjust-driver.ts',
  // Chooses the session, and the connection of a read outside a unit of work.
  'packages/adapters/src/database/driver/database.ts',
  // A backup of each database is another file, which other programs make and read.
  'packages/adapters/src/database/recovery/backup-facts.ts',
  'packages/adapters/src/database/recovery/raise-ids.ts',
  'packages/adapters/src/database/recovery/restored-installation.ts',
  'packages/adapters/src/database/installation/server-settings.ts',
  'packages/adapters/src/database/recovery/unfinished-restore.ts',
  'packages/adapters/src/recovery/manifest.ts',
  'packages/adapters/src/recovery/open-backup.ts',
  'packages/adapters/src/recovery/restore-backup.ts',
];

/** Steps that differ between the databases, and the lock of a migration. */
const MIGRATIONS = 'packages/adapters/src/database/migrations/';

const COMPARED = /[=!]==? '(mysql|sqlite)'|'(mysql|sqlite)' [=!]==?|case '(mysql|sqlite)'|dialect(\.name|\])/;

describe('the dialect of the database', () => {
  it('is compared in exactly the files of the list, apart from migrations', () => {
    const found = productFiles().filter((file) => !file.startsWith(MIGRATIONS) && comparesDialect(file));
    expect(found.sort()).toEqual([...ALLOWED].sort());
  });
});

function comparesDialect(file: string): boolean {
  return COMPARED.test(readFileSync(join(ROOT, file), 'utf8'));
}

function productFiles(): string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
      .filter((file) => !file.includes('/testing/')),
  );
}
