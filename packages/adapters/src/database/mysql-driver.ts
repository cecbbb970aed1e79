import type { DataSource, QueryRunner } from 'typeorm';
import type { Parameter } from './database.js';

type Callback = (error: Error | null, result: unknown) => void;

/** The part of a mysql2 pool or connection that is used. */
export interface MysqlHandle {
  query(sql: string, parameters: Parameter[], done: Callback): unknown;
}

interface MysqlPool extends MysqlHandle {
  on(event: 'connection', listener: (connection: { query(sql: string): unknown }) => void): unknown;
}

const READ_COMMITTED = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** TypeORM's own pool. */
export function poolOf(dataSource: DataSource): MysqlHandle {
  return (dataSource.driver as unknown as { pool: MysqlPool }).pool;
}

/** The connection that a query runner holds. */
export async function connectionOf(runner: QueryRunner): Promise<MysqlHandle> {
  return (await runner.connect()) as MysqlHandle;
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

/** Sets the isolation level once for every connection, not with a statement before every transaction. */
export async function readCommitted(dataSource: DataSource): Promise<void> {
  const pool = poolOf(dataSource) as MysqlPool;
  pool.on('connection', (connection) => connection.query(READ_COMMITTED));
  // The one connection that was opened before anybody listened.
  await query(pool, READ_COMMITTED, []);
}
