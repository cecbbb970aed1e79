import type { DataSource, QueryRunner } from 'typeorm';
import type { Parameter, Written } from './session.js';

/** The part of `Database` that TypeORM's statements go through. */
export interface Statements {
  currentTransaction(): object | undefined;
  read(sql: string, parameters: Parameter[]): Promise<unknown[]>;
  write(sql: string, parameters: Parameter[]): Promise<Written>;
}

/**
 * TypeORM's query runner of the driver, with every statement sent by `Database`: to the session of the unit of work, or as a
 * lone statement with its retries and its deadline. It holds no connection and no state of a transaction, so that one is
 * enough for all callers. Nothing is logged and no query event is sent.
 */
export function sessionQueryRunner(dataSource: DataSource, statements: Statements): QueryRunner {
  // An object derived from the driver's runner: on SQLite the driver has one, which the migrations use as it is.
  const runner = Object.create(dataSource.createQueryRunner()) as QueryRunner;
  Object.defineProperty(runner, 'isTransactionActive', { get: () => statements.currentTransaction() !== undefined });
  return Object.assign(runner, {
    query: (sql: string, parameters: unknown[] = [], isStructured = false) =>
      run(statements, sql, parameters.map(toParameter), isStructured),
    connect: () => refuse('A connection'),
    stream: () => refuse('A stream'),
    startTransaction: () => refuse('A transaction'),
    commitTransaction: () => refuse('A commit'),
    rollbackTransaction: () => refuse('A rollback'),
    release: () => Promise.resolve(),
  });
}

/**
 * @returns the rows of a SELECT, the generated id of any other statement (`adjustDriver` makes TypeORM take it); structured
 * with the number of affected rows, as TypeORM's `QueryResult`.
 */
async function run(statements: Statements, sql: string, parameters: Parameter[], isStructured: boolean) {
  if (/^\s*SELECT\b/i.test(sql)) {
    const records = await statements.read(sql, parameters);
    return isStructured ? { raw: records, records } : records;
  }
  const { affected, insertId } = await statements.write(sql, parameters);
  // SQLite tells the id of an earlier insert when a row was ignored.
  const raw = affected > 0 ? insertId : 0;
  return isStructured ? { raw, records: [], affected } : raw;
}

/** The driver of MySQL would write a date in the time zone of the connection; a column's transformer makes a number of it. */
function toParameter(value: unknown): Parameter {
  if (value === undefined) return null;
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new TypeError(`A parameter of type ${value instanceof Date ? 'Date' : typeof value} cannot be stored`);
}

async function refuse(what: string): Promise<never> {
  throw new Error(`${what} is opened by the unit of work, not by TypeORM`);
}
