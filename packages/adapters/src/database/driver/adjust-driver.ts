import type { DataSource } from 'typeorm';
import type { Dialect } from './dialect.js';

/**
 * Changes how TypeORM builds statements and reads their results:
 * - TypeORM adds RETURNING to an insert on MariaDB. Now MariaDB and MySQL get the same SQL.
 * - TypeORM sets a generated BIGINT id as a string, and as the text 'undefined' when no row was inserted. Now the id is
 * a number, and is not set when no row was inserted.
 * - TypeORM computes the ids of several inserted rows from the first id, which is wrong when auto_increment_increment
 * is not 1 (Galera). Now only the id of a single row is set. After an insert with `orUpdate` the id is undefined.
 * - After an insert TypeORM reads the columns that have a default, and fails without an id, as of an ignored row. Now
 * it reads none, because every insert of an entity names all values.
 * - TypeORM writes numbers into the SQL on SQLite, so that each insert is prepared again. Now numbers are parameters.
 */
export function adjustDriver({ driver, entityMetadatas }: DataSource, dialect: Dialect): void {
  driver.isReturningSqlSupported = () => false;
  driver.createGeneratedMap = ({ generatedColumns }, insertId: unknown, _index, rows) => {
    const [column] = generatedColumns;
    const isKnown = typeof insertId === 'number' && insertId > 0 && rows === 1;
    return isKnown && column !== undefined ? { [column.propertyName]: insertId } : undefined;
  };
  for (const metadata of entityMetadatas) metadata.getInsertionReturningColumns = () => metadata.generatedColumns;
  if (dialect.name === 'sqlite') driver.escapeQueryWithParameters = bindParameters;
}

/** Replaces `:name` with `?`, and `:...name` with one `?` for each item. A name without a value is not replaced. */
function bindParameters(sql: string, values: Record<string, unknown>): [string, unknown[]] {
  const bound: unknown[] = [];
  const text = sql.replaceAll(
    /:(\.\.\.)?([A-Za-z0-9_.]+)/g,
    (placeholder, spread: string | undefined, name: string) => {
      if (!Object.hasOwn(values, name)) return placeholder;
      const value = values[name];
      // A function is an SQL expression.
      if (typeof value === 'function') return String(value());
      const items = spread === undefined ? [value] : (value as unknown[]);
      bound.push(...items);
      return items.map(() => '?').join(', ');
    },
  );
  return [text, bound];
}
