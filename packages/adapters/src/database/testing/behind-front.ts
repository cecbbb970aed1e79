import { TcpBalancer } from '@mailstead/core/testing/tcp-balancer';
import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import type { TestDatabase } from './database-fixture.js';

/** A database that is reached through a front, which can make its connections silent. */
export interface BehindFront {
  front: TcpBalancer;
  database: Database;
  close: () => Promise<void>;
}

/** @param direct the same database, on MariaDB */
export async function openBehindFront({ url, dataDir }: TestDatabase, poolSize: number): Promise<BehindFront> {
  const { port, href } = new URL(url ?? '');
  const front = await TcpBalancer.start([Number(port)], 'backup');
  const database = await openDatabase({ url: front.urlOf(href), dataDir, poolSize });
  const close = async (): Promise<void> => {
    await front.stop();
    await database.close();
  };
  return { front, database, close };
}

/** Whether the server has a connection of this number. */
export async function hasConnection({ database }: TestDatabase, id: number): Promise<boolean> {
  const rows = await database.read('SELECT 1 FROM information_schema.processlist WHERE id = ?', [id]);
  return rows.length === 1;
}
