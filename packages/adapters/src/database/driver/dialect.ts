import type { EntitySchemaColumnOptions } from 'typeorm';

export type DialectName = 'mysql' | 'sqlite';

/**
 * The differences between the databases. `mysql-dialect.ts` and `sqlite-dialect.ts` implement it. No other file depends
 * on the name of the dialect, except for the choice of a session and the migrations, of which each database has its own
 * list.
 */
export interface Dialect {
  readonly name: DialectName;
  readonly columnTypes: ColumnTypes;
  /** Whether all writes use one connection, so that only one transaction runs at a time. */
  readonly hasOneWriter: boolean;
  /** Whether a table can have a part of its own for each day, which is dropped at once. */
  readonly hasPartitions: boolean;
  /** Whether Postfix and Dovecot read views of this database. */
  readonly isReadByMailServers: boolean;
  /** Rows that a list reads with one statement. This process needs about 1 ms for them (`docs/performance.md`). */
  readonly listChunkRows: number;
  /**
   * SQL expression: the time of the database server, epoch milliseconds. Null when the database runs in this process.
   */
  readonly serverTime: string | null;
  /** Length of the row that a probe writes to find out whether the disk is full, characters. */
  readonly probeLength: number;
  /** The same after a refused write: longer than what the largest usual request writes. */
  readonly probeLengthAfterRefusal: number;

  /**
   * At the end of a SELECT: locks its rows until the transaction ends. Empty on SQLite, where only one transaction runs
   * at a time.
   */
  readonly forUpdate: string;
  /**
   * At the end of a SELECT: takes a shared lock. Others can take it too, but cannot change the rows. Empty on SQLite.
   */
  readonly forShare: string;
  /**
   * At the end of a SELECT: locks its rows, and skips rows that others have locked. It only makes claims faster: the
   * UPDATE that claims a row must check that the row has not changed since it was read. Empty on SQLite.
   */
  readonly skipLocked: string;
  /** After the name of a table: forces reads and locks through the primary key. */
  readonly byPrimaryKey: string;
  /** After the name of a table: forces reads and locks through this index, or through the key (`PRIMARY`). */
  byIndex(index: string): string;
  /**
   * After the name of a table: forces reads through this unique key, so that no range is looked up in other indexes to
   * choose one. Empty on SQLite, which chooses without such look-ups and names the keys of constraints otherwise.
   */
  byUniqueKey(key: string): string;

  /**
   * After `SELECT`: joins the tables in the order of the text, without the time to choose one. Empty on SQLite, which
   * chooses when it prepares a statement, once.
   */
  readonly inThisOrder: string;
  /**
   * A SELECT with an order and a limit of its own, as a part of a UNION ALL. The rows of the parts follow each other,
   * but the order in a part is not kept for certain.
   *
   * @param name of the part, which no other one has
   */
  limitedPart(select: string, name: string): string;

  /** The start of an insert that ignores rows that exist. They are not counted as affected. */
  insertOrIgnore(table: string): string;
  /** At the end of an insert, before assignments: these update the rows that exist. */
  onConflict(key: readonly string[]): string;
  /** At the end of an insert: rows that exist are not changed. On MySQL they are locked. */
  keepOnConflict(key: string): string;
  /** In an assignment after `onConflict`: the value of the row that was to be inserted. */
  inserted(column: string): string;
  /** SQL condition: both values are equal, or both null. */
  isSame(left: string, right: string): string;
  /** SQL expression: the least of several values; null when one of them is null. */
  least(...values: string[]): string;
  /** SQL expression: the greatest of several values; null when one of them is null. */
  greatest(...values: string[]): string;
  /** SQL expression: the text at a path of a JSON document, such as `$.name`; null when the document has none. */
  jsonText(document: string, path: string): string;
  /** A DELETE of the rows that meet a condition. Its last parameter is the most rows to delete. */
  deleteSome(table: string, condition: string): string;
  /** A statement that creates the file of a table again, empty. Null when tables have no separate files. */
  recreateTable(table: string): string | null;
}

/** The column types of one database. */
export interface ColumnTypes {
  id: EntitySchemaColumnOptions;
  big: EntitySchemaColumnOptions;
  integer: EntitySchemaColumnOptions['type'];
  flag: EntitySchemaColumnOptions['type'];
  time: EntitySchemaColumnOptions['type'];
  json: EntitySchemaColumnOptions['type'];
  /** Bytes of a variable length. */
  bytes(length: number): EntitySchemaColumnOptions;
  collated(charset: string, collation: string): Partial<EntitySchemaColumnOptions>;
}

/**
 * Column options by the meaning of a column. Times are epoch milliseconds, so that they do not depend on the time zone
 * of a driver, session or server.
 */
export class Columns {
  private readonly types: ColumnTypes;

  constructor({ columnTypes }: Dialect) {
    this.types = columnTypes;
  }

  /** A generated primary key. TypeORM does not write it, because an entity that is not stored has the id 0. */
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

  flag(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: this.types.flag, transformer: flag, ...options };
  }

  time(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: this.types.time, transformer: time, ...options };
  }

  /** ASCII, compared byte by byte. */
  exact(length: number, options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: 'varchar', length, ...this.types.collated('ascii', 'ascii_bin'), ...options };
  }

  /** A domain name or an address: ASCII, compared without case, as Postfix looks them up. */
  name(length: number, options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: 'varchar', length, ...this.types.collated('ascii', 'ascii_general_ci'), ...options };
  }

  /** Bytes, at most `length`. SQLite does not limit them. */
  bytes(length: number, options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { ...this.types.bytes(length), ...options };
  }

  /** Text in any language. */
  text(length: number, options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: 'varchar', length, ...this.types.collated('utf8mb4', 'utf8mb4_bin'), ...options };
  }

  /** A JSON document of any length, stored as text and parsed. */
  json(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return {
      type: this.types.json,
      transformer: json,
      ...this.types.collated('utf8mb4', 'utf8mb4_bin'),
      ...options,
    };
  }

  /** A long text that is not parsed. */
  document(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: this.types.json, ...this.types.collated('utf8mb4', 'utf8mb4_bin'), ...options };
  }

  /** A list of keywords, stored as one comma-separated text. */
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
