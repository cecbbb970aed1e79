import type { DataSource } from 'typeorm';
import type { Parameter } from './session.js';

type Callback = (error: Error | null, result: unknown) => void;

/** The part of a mysql2 pool or connection that is used. */
export interface MysqlHandle {
  query(sql: string, parameters: Parameter[], done: Callback): unknown;
}

export interface MysqlConnection extends MysqlHandle {
  release(): void;
  destroy(): void;
}

interface MysqlPool extends MysqlHandle {
  getConnection(done: (error: Error | null, connection: MysqlConnection) => void): void;
  on(event: 'connection', listener: (connection: { query(sql: string): unknown }) => void): unknown;
}

const READ_COMMITTED = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** TypeORM's own pool. */
export function poolOf(dataSource: DataSource): MysqlPool {
  return (dataSource.driver as unknown as { pool: MysqlPool }).pool;
}

/** Takes a connection of the pool; the caller gives it back. */
export function takeConnection(dataSource: DataSource): Promise<MysqlConnection> {
  return new Promise((resolve, reject) => {
    poolOf(dataSource).getConnection((error, connection) => (error === null ? resolve(connection) : reject(error)));
  });
}

/**
 * Runs a statement by the driver itself. TypeORM's query runner and the driver's promises record a stack trace, events and
 * a log entry for each statement, which costs the event loop more than the statement.
 */
export function query(handle: MysqlHandle, sql: string, parameters: Parameter[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    handle.query(sql, parameters, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
}

const galeraNodes = new WeakMap<MysqlConnection, boolean>();

/** Whether the connection leads to a node of a Galera cluster. The server is asked once for each connection. */
export async function leadsToGalera(connection: MysqlConnection): Promise<boolean> {
  const known = galeraNodes.get(connection);
  if (known !== undefined) return known;
  const rows = (await query(connection, "SHOW VARIABLES LIKE 'wsrep_on'", [])) as { Value: string }[];
  const isNode = rows[0]?.Value === 'ON';
  galeraNodes.set(connection, isNode);
  return isNode;
}

/** Sets the isolation level once for every connection, not with a statement before every transaction. */
export async function readCommitted(dataSource: DataSource): Promise<void> {
  const pool = poolOf(dataSource);
  pool.on('connection', (connection) => connection.query(READ_COMMITTED));
  // The one connection that was opened before anybody listened.
  await query(pool, READ_COMMITTED, []);
}
