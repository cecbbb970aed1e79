import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../driver/open-database.js';
import { migrate } from '../migrations/migrate.js';

/**
 * Puts a migrated SQLite database into an empty folder. The first call of a test run makes it in
 * `MAILSTEAD_TEST_FOLDER`, which the run removes at its end; later calls copy it. Without that folder nothing is
 * copied.
 */
export async function copyFile(dataDir: string): Promise<void> {
  const folder = process.env.MAILSTEAD_TEST_FOLDER;
  if (folder === undefined) return;
  const template = join(folder, 'sqlite');
  if ((await stat(template).catch(() => null)) === null) await make(folder, template);
  await cp(template, dataDir, { recursive: true });
}

/** Two processes may make it at once; the second one removes its own. */
async function make(folder: string, template: string): Promise<void> {
  const draft = await mkdtemp(join(folder, 'draft-'));
  const database = await openDatabase({ url: null, dataDir: draft, poolSize: 1 });
  await migrate(database);
  await database.close();
  await rename(draft, template).catch(() => rm(draft, { recursive: true, force: true }));
}
