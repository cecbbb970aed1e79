import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import { AppError } from '@mailstead/core/errors';
import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import { closeAtOnce, giveUp, hasForeignMode, noteGaleraNode, query, watch } from './mysql-driver.js';
import { MysqlServerSide, placeOf } from './mysql-server-side.js';
import { SilenceWatch } from './mysql-silence.js';
import { withValues } from './sql-values.js';

/** What TypeORM needs of a driver, in place of the module `mysql2`. */
export interface PreparingDriver {
  createPool(options: PoolOptions): Pool;
}

export interface Preparation {
  /** The statement that sets the session (`sessionOf`). */
  session: string;
  url: string;
  /** Gets the server's sentence about a connection that it refused, once a minute. */
  onRefused?: (sentence: string) => void;
}

/**
 * After a switch to another Galera node, that node may not have applied the last changes yet, such as a revoked key.
 * All connections to it are new, so each waits once until the node has what the cluster had committed before. When the
 * wait fails, the rest does not run: the session then waits before each read.
 */
const CATCH_UP = ['SET SESSION wsrep_sync_wait = 1', 'BEGIN', 'COMMIT', 'SET SESSION wsrep_sync_wait = 0'];

/** A connection that was free for so long is asked first: a firewall may have forgotten it. */
const ASKED_AFTER_MS = SECOND_MS;

/**
 * A driver whose connections are prepared before they are given out, so that nothing that the server is set to decides
 * what a statement means, and which answer. A connection whose preparation failed is destroyed. Whatever the reason of
 * a refusal, its taker gets AppError `database_unavailable`: no statement ran.
 */
export function preparingDriver({ session, url, onRefused = () => undefined }: Preparation): PreparingDriver {
  return {
    createPool(options) {
      const pool = createPool({ ...options, queryFormat: withValues });
      const serverSide = new MysqlServerSide(url);
      const catchUp = options.multipleStatements === true ? [CATCH_UP.join('; ')] : CATCH_UP;
      const refused = refusals(onRefused);
      const prepared = new WeakSet<PoolConnection>();
      const freeSince = new WeakMap<PoolConnection, number>();
      let silentSince = Number.NEGATIVE_INFINITY;

      const prepareNew = async (connection: PoolConnection): Promise<void> => {
        await prepare(connection, session, catchUp);
        const place = await placeOf(connection);
        const noteSilence = (askedAt: number) => {
          silentSince = Math.max(silentSince, askedAt);
        };
        watch(connection, new SilenceWatch(connection, place, serverSide, noteSilence));
        prepared.add(connection);
      };
      pool.on('release', (connection) => freeSince.set(connection, performance.now()));
      // The driver listens for one error, and a connection may have two: that of the server, then that of the network.
      pool.on('connection', (connection) => connection.on('error', () => undefined));
      const take = pool.getConnection.bind(pool);
      // TypeORM and `pool.query` take their connections here too.
      pool.getConnection = (done) =>
        take((error, connection) => {
          if (error !== null) return done(refused(error), connection);
          if (!prepared.has(connection)) {
            prepareNew(connection).then(
              () => done(null, connection),
              (failure: NodeJS.ErrnoException) => {
                closeAtOnce(connection);
                done(refused(failure), connection);
              },
            );
            return;
          }
          const now = performance.now();
          // One that was not free at all was heard just now.
          const since = freeSince.get(connection) ?? now;
          freeSince.delete(connection);
          const takeAnother = () => {
            giveUp(connection);
            pool.getConnection(done);
          };
          // It was not heard since another one fell silent. To ask each of them would take too long.
          if (since <= silentSince) return takeAnother();
          if (now - since < ASKED_AFTER_MS) return done(null, connection);
          query(connection, 'DO 0', [], deadline('databaseGreeting')).then(() => done(null, connection), takeAnother);
        });
      return pool;
    },
  };
}

/** @returns a function that makes the error of a taker */
function refusals(report: (sentence: string) => void): (error: NodeJS.ErrnoException) => NodeJS.ErrnoException {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (error instanceof AppError && error.cause === undefined) return error;
    const cause = error instanceof AppError ? error.cause : error;
    if (performance.now() - reportedAt >= MINUTE_MS) {
      reportedAt = performance.now();
      report(cause instanceof Error ? cause.message : String(cause));
    }
    return error instanceof AppError ? error : new AppError('database_unavailable', { cause });
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
  for (const text of texts) await query(connection, text, [], deadline('databaseTurn'));
}
