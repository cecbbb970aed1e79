import type { Socket } from 'node:net';
import type { DataSource } from 'typeorm';
import type { Parameter } from './session.js';

type Callback = (error: Error | null, result: unknown) => void;

/** The used part of a mysql2 pool or connection. */
export interface MysqlHandle {
  query(options: { sql: string; timeout?: number }, parameters: Parameter[], done: Callback): unknown;
}

export interface MysqlConnection extends MysqlHandle {
  release(): void;
  destroy(): void;
}

interface MysqlPool extends MysqlHandle {
  readonly config: { readonly connectionLimit: number };
  getConnection(done: (error: Error | null, connection: MysqlConnection) => void): void;
}

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

/** In the status that a server sends with the result of a statement without rows. */
const NO_BACKSLASH_ESCAPES = 0x200;
const distrusted = new WeakSet<object>();

/** Whether the server says that the session has NO_BACKSLASH_ESCAPES, which `sessionOf` takes away. */
export function hasForeignMode(result: unknown): boolean {
  // The results of several statements, or rows, which have no status.
  if (Array.isArray(result)) return hasForeignMode(result[0] ?? null) || hasForeignMode(result.at(-1) ?? null);
  const status = typeof result === 'object' && result !== null && 'serverStatus' in result ? result.serverStatus : 0;
  return (Number(status) & NO_BACKSLASH_ESCAPES) !== 0;
}

/** Returns a connection to the pool, or closes it when its session is no longer as it was prepared. */
export function giveBack(connection: MysqlConnection): void {
  if (distrusted.has(connection)) connection.destroy();
  else connection.release();
}

/**
 * Runs a statement with the callback API of the driver. TypeORM's query runner and the driver's promises record a stack
 * trace, events and a log entry for each statement, which takes more time than the statement.
 *
 * @param timeoutMs after which the error is PROTOCOL_SEQUENCE_TIMEOUT; without it, never
 */
export function query(handle: MysqlHandle, sql: string, parameters: Parameter[], timeoutMs?: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const options = timeoutMs === undefined ? { sql } : { sql, timeout: timeoutMs };
    handle.query(options, parameters, (error, result) => {
      if (error !== null) return reject(error);
      if (hasForeignMode(result)) distrusted.add(handle);
      resolve(result);
    });
  });
}

/**
 * Closes a connection and its socket. The driver's `destroy` only ends the sending half: a far side that is silent
 * would keep the socket of this process.
 *
 * @param error which whoever waits for an answer gets
 */
export function closeAtOnce(connection: { destroy(): void }, error?: Error): void {
  connection.destroy();
  socketOf(connection).destroy(error);
}

/** The driver has no type for it. */
export function socketOf(connection: object): Socket {
  return (connection as { stream: Socket }).stream;
}

/** What watches the silence of a connection. */
export interface Watch {
  end(): void;
}

const watches = new WeakMap<object, Watch>();

export function watch(connection: object, by: Watch): void {
  watches.set(connection, by);
}

/** Ends a connection here and on the server, which would keep its statement, its transaction and its locks. */
export function giveUp(connection: MysqlConnection): void {
  const watched = watches.get(connection);
  if (watched === undefined) connection.destroy();
  else watched.end();
}

const galeraNodes = new WeakSet<object>();

/** Notes that the server of a connection is a Galera node. */
export function noteGaleraNode(connection: object): void {
  galeraNodes.add(connection);
}

/** Whether the server of the connection is a Galera node. */
export function isGaleraNode(connection: object): boolean {
  return galeraNodes.has(connection);
}
