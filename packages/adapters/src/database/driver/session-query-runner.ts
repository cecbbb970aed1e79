import type { DataSource, QueryRunner } from 'typeorm';
import type { Parameter, Written } from './session.js';

/** The part of `Database` that runs TypeORM's statements. */
export interface Statements {
  currentTransaction(): object | undefined;
  read(sql: string, parameters: Parameter[]): Promise<unknown[]>;
  write(sql: string, parameters: Parameter[]): Promise<Written>;
}

/**
 * A TypeORM query runner that sends every statement through `Database`: in the unit of work, or alone with retries and
 * a time limit. It has no connection and no transaction state, so all callers share one. It logs nothing and sends no
 * query events.
 */
export function sessionQueryRunner(dataSource: DataSource, statements: Statements): QueryRunner {
  // Derived from the driver's runner, which is not changed: on SQLite the driver has only one, and the migrations use
  // it.
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
 * @returns the rows of a SELECT, or the generated id of any other statement (`adjustDriver` makes TypeORM accept it).
 * With `isStructured`, these and the number of affected rows as TypeORM's `QueryResult`.
 */
async function run(statements: Statements, sql: string, parameters: Parameter[], isStructured: boolean) {
  if (/^\s*SELECT\b/i.test(sql)) {
    const records = await statements.read(sql, parameters);
    return isStructured ? { raw: records, records } : records;
  }
  const { affected, insertId } = await statements.write(sql, parameters);
  // When a row was ignored, SQLite returns the id of an earlier insert.
  const raw = affected > 0 ? insertId : 0;
  return isStructured ? { raw, records: [], affected } : raw;
}

/**
 * Refuses dates: the MySQL driver would write them in the time zone of the connection. Transformers convert them to
 * numbers.
 */
function toParameter(value: unknown): Parameter {
  if (value === undefined) return null;
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new TypeError(`A parameter of type ${value instanceof Date ? 'Date' : typeof value} cannot be stored`);
}

async function refuse(what: string): Promise<never> {
  throw new Error(`${what} is opened by the unit of work, not by TypeORM`);
}
