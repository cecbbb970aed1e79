import LibsqlDatabase from 'libsql';

type Bindable = null | string | number | bigint | Buffer;

interface BareDatabase {
  readonly inTransaction: boolean;
  prepare(sql: string): GuardedStatement;
  exec(sql: string): unknown;
  pragma(source: string): unknown;
  close(): void;
}

export interface GuardedStatement {
  readonly reader: boolean;
  all(...parameters: unknown[]): unknown[];
  run(...parameters: unknown[]): { changes: number; lastInsertRowid: number };
}

/** The part of libsql's type that is used; its own generics do not allow an override. */
const Bare = LibsqlDatabase as unknown as new (path: string, options?: object) => BareDatabase;

/**
 * libsql with the manners of better-sqlite3, for TypeORM's `driver` option. The bare driver aborts the whole process on
 * some parameter types and accepts a wrong number of them in silence; here both throw. `BEGIN` becomes `BEGIN IMMEDIATE`:
 * a deferred transaction that reads before it writes fails with SQLITE_BUSY beside another writer.
 */
export class GuardedLibsql extends Bare {
  override prepare(sql: string): GuardedStatement {
    const text = sql === 'BEGIN TRANSACTION' ? 'BEGIN IMMEDIATE TRANSACTION' : sql;
    const statement = super.prepare(text);
    const expected = countPlaceholders(text);
    return {
      reader: statement.reader,
      all: (...parameters) => statement.all(check(parameters, expected)),
      run: (...parameters) => statement.run(check(parameters, expected)),
    };
  }
}

function check(parameters: unknown[], expected: number): Bindable[] {
  if (parameters.length !== expected) {
    throw new TypeError(`The statement takes ${expected} parameters, not ${parameters.length}`);
  }
  return parameters.map(toBindable);
}

function toBindable(value: unknown): Bindable {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
      throw new TypeError('A number parameter must be finite and at most 2^53');
    }
    return value;
  }
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new TypeError('A text parameter must not contain NUL');
    return value;
  }
  if (typeof value === 'bigint' || Buffer.isBuffer(value)) return value;
  throw new TypeError(`A parameter of type ${typeof value} cannot be stored`);
}

/** Counts `?` outside of quotes. */
function countPlaceholders(sql: string): number {
  return sql.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`/g, '').split('?').length - 1;
}
