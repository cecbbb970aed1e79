import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import type { TestDatabase } from './database-fixture.js';

/**
 * Opens the same database with another pool, like another process. On SQLite, which one process uses, returns the same
 * one.
 */
export async function openAgain({ database, url, dataDir }: TestDatabase): Promise<Database> {
  return url === null ? database : openDatabase({ url, dataDir, poolSize: 10 });
}
