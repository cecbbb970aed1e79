import { createConnection } from 'mysql2';
import { withDeadline } from './deadline.js';

/** With the 2.5 s of silence before it, a caller hears within 5 s that the database is away. */
const ANSWER_WITHIN_MS = 1_500;

/** Makes a question whether a server answers a new connection. Who asks at the same time shares the answer. */
export function mysqlProbe(url: string): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null;
  return () => {
    asking ??= greets(url).finally(() => {
      asking = null;
    });
    return asking;
  };
}

async function greets(url: string): Promise<boolean> {
  const connection = createConnection({ uri: url });
  const greeted = new Promise<boolean>((resolve) => {
    connection.once('connect', () => resolve(true));
    // A server that refuses with an error of its own, such as too many connections, lives.
    connection.once('error', (error: { sqlState?: string }) => resolve(error.sqlState !== undefined));
  });
  try {
    return await withDeadline(greeted, ANSWER_WITHIN_MS);
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}
