import { SECOND_MS } from '@mailstead/core/clock';
import type { DataSource } from 'typeorm';
import type { Parameter } from './session.js';
import { LONGEST_WAIT_MS } from './writer-turns.js';

type Callback = (error: Error | null, result: unknown) => void;

/** The used part of a mysql2 pool or connection. */
export interface MysqlHandle {
  query(sql: string, parameters: Parameter[], done: Callback): unknown;
}

export interface MysqlConnection extends MysqlHandle {
  release(): void;
  destroy(): void;
}

interface MysqlPool extends MysqlHandle {
  readonly config: { readonly connectionLimit: number };
  getConnection(done: (error: Error | null, connection: MysqlConnection) => void): void;
  on(event: 'connection', listener: (connection: { query(sql: string): unknown }) => void): unknown;
}

const SESSION = `SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED; SET SESSION innodb_lock_wait_timeout = ${LONGEST_WAIT_MS / SECOND_MS}`;

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

/** Sets isolation level and lock time-out when a connection is opened, instead of before every transaction. */
export async function prepareSessions(dataSource: DataSource): Promise<void> {
  const pool = poolOf(dataSource);
  pool.on('connection', (connection) => connection.query(SESSION));
  // The pool opened one connection before the listener was added.
  await query(pool, SESSION, []);
}
