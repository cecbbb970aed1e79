import type { EntitySchemaColumnOptions } from 'typeorm';

export type Dialect = 'mysql' | 'sqlite';

/**
 * The column types of both databases, by meaning. Times are epoch milliseconds, so that no driver, session or
 * server time zone can bend them.
 */
export class Columns {
  constructor(private readonly dialect: Dialect) {}

  /** A generated primary key. TypeORM never writes it: the id of an entity that is not stored yet is 0. */
  id(): EntitySchemaColumnOptions {
    const generated = { primary: true, generated: 'increment', insert: false, update: false } as const;
    return this.dialect === 'mysql'
      ? { type: 'bigint', transformer: number, ...generated }
      : { type: 'integer', ...generated };
  }

  /** An id of another table, or of this one. */
  ref(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return this.dialect === 'mysql'
      ? { type: 'bigint', transformer: number, ...options }
      : { type: 'integer', ...options };
  }

  integer(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: this.dialect === 'mysql' ? 'int' : 'integer', ...options };
  }

  big(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return this.ref(options);
  }

  flag(): EntitySchemaColumnOptions {
    return { type: this.dialect === 'mysql' ? 'tinyint' : 'integer', transformer: flag };
  }

  time(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: this.dialect === 'mysql' ? 'bigint' : 'integer', transformer: time, ...options };
  }

  /** ASCII, compared byte by byte. */
  exact(length: number, options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: 'varchar', length, ...this.collated('ascii', 'ascii_bin'), ...options };
  }

  /** A domain name or an address: ASCII, compared without case, as Postfix asks for them. */
  name(length: number, options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: 'varchar', length, ...this.collated('ascii', 'ascii_general_ci'), ...options };
  }

  /** Free text of people. */
  text(length: number, options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return { type: 'varchar', length, ...this.collated('utf8mb4', 'utf8mb4_bin'), ...options };
  }

  /** A JSON document of any length, kept as text. */
  json(options: Partial<EntitySchemaColumnOptions> = {}): EntitySchemaColumnOptions {
    return {
      type: this.dialect === 'mysql' ? 'mediumtext' : 'text',
      transformer: json,
      ...this.collated('utf8mb4', 'utf8mb4_bin'),
      ...options,
    };
  }

  /** A few words of ours, kept as one comma-separated text. */
  words(length: number): EntitySchemaColumnOptions {
    return { ...this.exact(length), transformer: words };
  }

  private collated(charset: string, collation: string): Partial<EntitySchemaColumnOptions> {
    return this.dialect === 'mysql' ? { charset, collation } : {};
  }
}

const number = {
  from: (value: unknown) => (value === null ? null : Number(value)),
  to: (value: unknown) => value,
};
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
