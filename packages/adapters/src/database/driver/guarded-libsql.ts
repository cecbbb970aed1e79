import LibsqlDatabase from 'libsql';

type Bindable = null | string | number | bigint | Buffer;

interface BareDatabase {
  readonly open: boolean;
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

/** The used part of libsql's type. The generics of the original do not allow overrides. */
const Bare = LibsqlDatabase as unknown as new (path: string, options?: object) => BareDatabase;

/**
 * libsql for TypeORM's `driver` option, with the checks of better-sqlite3. The original driver aborts the process for
 * some types of parameters, and accepts a wrong number of parameters. Here both throw. `BEGIN` becomes `BEGIN
 * IMMEDIATE`, because a deferred transaction that reads before it writes can fail with SQLITE_BUSY.
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
