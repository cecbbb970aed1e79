import { deadline } from '@mailstead/core/deadlines';
import { type ConnectionOptions, createConnection } from 'mysql2';
import { withDeadline } from './deadline.js';
import { closeAtOnce } from './mysql-driver.js';
import { connectionTo, parseMysqlUrl } from './mysql-url.js';

/** @returns a function that checks whether a server accepts a new connection. Concurrent calls share one check. */
export function mysqlProbe(url: string): () => Promise<boolean> {
  const options = connectionTo(parseMysqlUrl(url));
  let checking: Promise<boolean> | null = null;
  return () => {
    checking ??= responds(options).finally(() => {
      checking = null;
    });
    return checking;
  };
}

async function responds(options: ConnectionOptions): Promise<boolean> {
  const connection = createConnection(options);
  const greeted = new Promise<boolean>((resolve) => {
    connection.once('connect', () => resolve(true));
    // An error from the server itself, such as too many connections, proves that it responds.
    connection.once('error', (error: { sqlState?: string }) => resolve(error.sqlState !== undefined));
  });
  try {
    return await withDeadline(greeted, deadline('databaseGreeting'));
  } catch {
    return false;
  } finally {
    closeAtOnce(connection);
  }
}
