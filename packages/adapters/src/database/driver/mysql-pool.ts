import { deadline } from '@mailstead/core/deadlines';
import { AppError } from '@mailstead/core/errors';
import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import { hasForeignMode, noteGaleraNode, query } from './mysql-driver.js';
import { withValues } from './sql-values.js';

/** What TypeORM needs of a driver, in place of the module `mysql2`. */
export interface PreparingDriver {
  createPool(options: PoolOptions): Pool;
}

/**
 * After a switch to another Galera node, that node may not have applied the last changes yet, such as a revoked key.
 * All connections to it are new, so each waits once until the node has what the cluster had committed before. When the
 * wait fails, the rest does not run: the session then waits before each read.
 */
const CATCH_UP = ['SET SESSION wsrep_sync_wait = 1', 'BEGIN', 'COMMIT', 'SET SESSION wsrep_sync_wait = 0'];

/**
 * A driver whose connections are prepared before they are given out, so that nothing that the server is set to decides
 * what a statement means. A connection whose preparation failed is destroyed, and its taker gets the error.
 *
 * @param session the statement that sets the session (`sessionOf`)
 */
export function preparingDriver(session: string): PreparingDriver {
  return {
    createPool(options) {
      const pool = createPool({ ...options, queryFormat: withValues });
      const prepared = new WeakSet<PoolConnection>();
      const catchUp = options.multipleStatements === true ? [CATCH_UP.join('; ')] : CATCH_UP;
      const take = pool.getConnection.bind(pool);
      // TypeORM and `pool.query` take their connections here too.
      pool.getConnection = (done) =>
        take((error, connection) => {
          if (error !== null || prepared.has(connection)) return done(error, connection);
          prepare(connection, session, catchUp).then(
            () => {
              prepared.add(connection);
              done(null, connection);
            },
            (failure: NodeJS.ErrnoException) => {
              connection.destroy();
              done(failure, connection);
            },
          );
        });
      return pool;
    },
  };
}

const IS_NODE = "SHOW VARIABLES LIKE 'wsrep_on'";

async function prepare(connection: PoolConnection, session: string, catchUp: readonly string[]): Promise<void> {
  // A server that is silent must not keep the connection, and the place of its taker.
  const result = await query(connection, session, [], deadline('databaseRead'));
  if (hasForeignMode(result)) {
    throw new AppError('database_unavailable', { cause: new Error('The database keeps NO_BACKSLASH_ESCAPES') });
  }
  const rows = (await query(connection, IS_NODE, [], deadline('databaseRead'))) as { Value: string }[];
  if (rows[0]?.Value !== 'ON') return;
  noteGaleraNode(connection);
  // After an error, such as that of a node without a quorum, each read of the session waits or fails by itself.
  await allOf(connection, catchUp).catch(() => undefined);
}

async function allOf(connection: PoolConnection, texts: readonly string[]): Promise<void> {
  for (const text of texts) await query(connection, text, []);
}
