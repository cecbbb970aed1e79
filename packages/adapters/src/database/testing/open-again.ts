import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import type { TestDatabase } from './database-fixture.js';

/** The same database by a pool of its own, as another process has it; SQLite belongs to one process and stays as it is. */
export async function openAgain({ database, url, dataDir }: TestDatabase): Promise<Database> {
  return url === null ? database : openDatabase({ url, dataDir, poolSize: 10 });
}
