import type { EntitySchemaColumnOptions } from 'typeorm';

export type DialectName = 'mysql' | 'sqlite';

/**
 * What the two databases say differently, by meaning; `mysql-dialect.ts` and `sqlite-dialect.ts` are the two of them. No other
 * file compares the dialect, except for the choice of a session and the migrations, which are one list a database.
 */
export interface Dialect {
  readonly name: DialectName;
  readonly columnTypes: ColumnTypes;
  /** Whether all writes go through one connection, which transactions take in turn. */
  readonly hasOneWriter: boolean;
  /** Whether Postfix and Dovecot read views of this database. */
  readonly isReadByMailServers: boolean;
  /** Rows of a list that are read at once: they take this process about 1 ms (`docs/performance.md`). */
  readonly listChunkRows: number;
  /** An expression: the time of the database server in epoch milliseconds. Null when the database runs in this process. */
  readonly serverTime: string | null;
  /** Characters of a row that is written to see whether there is room on the disk. */
  readonly probeLength: number;

  /** Ends a SELECT: locks its rows until the transaction ends. Empty on SQLite, where a transaction is the only writer from its begin. */
  readonly forUpdate: string;
  /** Ends a SELECT: others may read its rows so too, but nobody may change them. Empty on SQLite. */
  readonly forShare: string;
  /**
   * Ends a SELECT: locks its rows, and passes over rows that others have locked. It makes claims faster and nothing more: the UPDATE
   * that claims a row has to check that the row still is as it was read. Empty on SQLite.
   */
  readonly skipLocked: string;
  /** Stands after a table's name: reads and locks by the primary key, whatever other index would do. Empty on SQLite. */
  readonly byPrimaryKey: string;
  /** The same by another index. */
  byIndex(index: string): string;

  /** Begins an insert of rows that may exist; those stay as they are and are not counted as affected. */
  insertOrIgnore(table: string): string;
  /** Ends an insert of rows that may exist, before the assignments to those. */
  onConflict(key: readonly string[]): string;
  /** Ends an insert of rows that may exist and then stay as they are; on MySQL they are locked. */
  keepOnConflict(key: string): string;
  /** The value that the row would have been inserted with, inside an assignment after `onConflict`. */
  inserted(column: string): string;
  /** The least of several values; null when one of them is null. */
  least(...values: string[]): string;
  /** The greatest of several values; null when one of them is null. */
  greatest(...values: string[]): string;
  /** A DELETE of rows that meet a condition; the last parameter is how many at most. */
  deleteSome(table: string, condition: string): string;
  /** A statement that makes the file of a table anew, and empty; null where tables have no file of their own. */
  makeAnew(table: string): string | null;
}

/** How a column of each kind is stored. */
export interface ColumnTypes {
  id: EntitySchemaColumnOptions;
  big: EntitySchemaColumnOptions;
  integer: EntitySchemaColumnOptions['type'];
  flag: EntitySchemaColumnOptions['type'];
  time: EntitySchemaColumnOptions['type'];
  json: EntitySchemaColumnOptions['type'];
  collated(charset: string, collation: string): Partial<EntitySchemaColumnOptions>;
}

/**
 * The column types of both databases, by meaning. Times are epoch milliseconds, so that no time zone of a driver, a session
 * or a server can change them.
 */
export class Columns {
  private readonly types: ColumnTypes;

  constructor({ columnTypes }: Dialect) {
    this.types = columnTypes;
  }

  /** A generated primary key. TypeORM never writes it: the id of an entity that is not stored yet is 0. */
  id(): EntitySchemaColumnOptions {
    return { ...this.types.id, insert: false, update: false };
  }

  /** An id of another table, or of this one. */
  ref(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { ...this.types.big, ...options };
  }

  integer(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: this.types.integer, ...options };
  }

  big(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return this.ref(options);
  }

  flag(): EntitySchemaColumnOptions {
    return { type: this.types.flag, transformer: flag };
  }

  time(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: this.types.time, transformer: time, ...options };
  }

  /** ASCII, compared byte by byte. */
  exact(length: number, options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: 'varchar', length, ...this.types.collated('ascii', 'ascii_bin'), ...options };
  }

  /** A domain name or an address: ASCII, compared without case, as Postfix asks for them. */
  name(length: number, options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: 'varchar', length, ...this.types.collated('ascii', 'ascii_general_ci'), ...options };
  }

  /** Free text of people. */
  text(length: number, options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: 'varchar', length, ...this.types.collated('utf8mb4', 'utf8mb4_bin'), ...options };
  }

  /** A JSON document of any length, kept as text. */
  json(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return {
      type: this.types.json,
      transformer: json,
      ...this.types.collated('utf8mb4', 'utf8mb4_bin'),
      ...options,
    };
  }

  /** A long text, kept as it is. */
  document(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: this.types.json, ...this.types.collated('utf8mb4', 'utf8mb4_bin'), ...options };
  }

  /** A few words of this service, kept as one comma-separated text. */
  words(length: number): EntitySchemaColumnOptions {
    return { ...this.exact(length), transformer: words };
  }
}

const flag = {
  from: (value: unknown) => Number(value) === 1,
  to: (value: unknown) => (value === true ? 1 : 0),
};
const time = {
  from: (value: unknown) => (value === null ? null : new Date(Number(value))),
  to: (value: unknown) => (value instanceof Date ? value.getTime() : null),
};
const json = {
  from: (value: unknown) => (typeof value === 'string' ? (JSON.parse(value) as unknown) : null),
  to: (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value)),
};
const words = {
  from: (value: unknown) => (typeof value === 'string' && value !== '' ? value.split(',') : []),
  to: (value: unknown) => (Array.isArray(value) ? value.join(',') : ''),
};
