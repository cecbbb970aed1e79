import { SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import type { DataSource } from 'typeorm';
import type { Parameter } from './session.js';

type Callback = (error: Error | null, result: unknown) => void;

/** The used part of a mysql2 pool or connection. */
export interface MysqlHandle {
  query(sql: string, parameters: Parameter[], done: Callback): unknown;
}

export interface MysqlConnection extends MysqlHandle {
  release(): void;
  destroy(): void;
}

interface OpenedConnection extends MysqlHandle {
  query(sql: string, parameters?: Parameter[], done?: Callback): unknown;
}

interface MysqlPool extends MysqlHandle {
  readonly config: { readonly connectionLimit: number };
  getConnection(done: (error: Error | null, connection: MysqlConnection) => void): void;
  on(event: 'connection', listener: (connection: OpenedConnection) => void): unknown;
}

const ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** @returns TypeORM's connection pool */
function poolOf(dataSource: DataSource): MysqlPool {
  return (dataSource.driver as unknown as { pool: MysqlPool }).pool;
}

/** @returns the maximum number of connections */
export function poolSizeOf(dataSource: DataSource): number {
  return poolOf(dataSource).config.connectionLimit;
}

/** Takes a connection from the pool. The caller must release it. */
export function takeConnection(dataSource: DataSource): Promise<MysqlConnection> {
  return new Promise((resolve, reject) => {
    poolOf(dataSource).getConnection((error, connection) => (error === null ? resolve(connection) : reject(error)));
  });
}

/**
 * Runs a statement with the callback API of the driver. TypeORM's query runner and the driver's promises record a stack
 * trace, events and a log entry for each statement, which takes more time than the statement.
 */
export function query(handle: MysqlHandle, sql: string, parameters: Parameter[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    handle.query(sql, parameters, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
}

const galeraNodes = new WeakMap<MysqlConnection, boolean>();

/** Whether the server of the connection is a Galera node. The result is cached for each connection. */
export async function isGaleraNode(connection: MysqlConnection): Promise<boolean> {
  const known = galeraNodes.get(connection);
  if (known !== undefined) return known;
  const rows = (await query(connection, "SHOW VARIABLES LIKE 'wsrep_on'", [])) as { Value: string }[];
  const isNode = rows[0]?.Value === 'ON';
  galeraNodes.set(connection, isNode);
  return isNode;
}

/**
 * After a switch to another Galera node, that node may not have applied the last changes yet, such as a revoked key.
 * All connections to it are new, so each waits once until the node has what the cluster had committed before. When the
 * wait fails, the rest of the text does not run: the session then waits before each read.
 */
const CATCH_UP = 'SET SESSION wsrep_sync_wait = 1; BEGIN; COMMIT; SET SESSION wsrep_sync_wait = DEFAULT';

/**
 * A frozen process keeps the locks of its transaction. The server ends a transaction that sends nothing for this time,
 * so that the requests of other processes do not wait for it. MySQL, which has no such variable, reads a comment.
 */
const END_SILENT_TRANSACTIONS = '/*M! SET SESSION idle_transaction_timeout = 1 */';

export interface SessionOptions {
  isCluster: boolean;
  /** Whether the server ends transactions that send nothing for a second. Tests hold some longer. */
  endsSilentTransactions: boolean;
}

/** Sets isolation level and lock time-out when a connection is opened, instead of before every transaction. */
export async function prepareSessions(
  dataSource: DataSource,
  { isCluster, endsSilentTransactions }: SessionOptions,
): Promise<void> {
  const pool = poolOf(dataSource);
  const lockWait = `SET SESSION innodb_lock_wait_timeout = ${Math.ceil(deadline('databaseTurn') / SECOND_MS)}`;
  const session = [ISOLATION, lockWait, ...(endsSilentTransactions ? [END_SILENT_TRANSACTIONS] : [])].join('; ');
  pool.on('connection', (connection) => {
    connection.query(session);
    // After an error, such as that of a node without a quorum, each read of the session waits or fails by itself.
    if (isCluster) connection.query(CATCH_UP, [], () => undefined);
  });
  // The pool opened one connection before the listener was added.
  await query(pool, session, []);
}
