import type { DataSource } from 'typeorm';
import type { Dialect } from './dialect.js';

/**
 * Changes four things that TypeORM does with the results and the texts of statements:
 * - On MariaDB it adds RETURNING to an insert. Here MariaDB and MySQL get the same text.
 * - A generated BIGINT id becomes a string, and the text 'undefined' when the row was not inserted. Here it is a number, and not set.
 * - The ids of several rows are counted up from the first, which is wrong where auto_increment_increment is not 1 (Galera). Here
 *   the id of a single row is set, those of several are not. An insert with `orUpdate` promises no id.
 * - On SQLite a number is written into the text, so that every insert is prepared anew. Here it is a parameter.
 */
export function adjustDriver({ driver }: DataSource, dialect: Dialect): void {
  driver.isReturningSqlSupported = () => false;
  driver.createGeneratedMap = ({ generatedColumns }, insertId: unknown, _index, rows) => {
    const [column] = generatedColumns;
    const isKnown = typeof insertId === 'number' && insertId > 0 && rows === 1;
    return isKnown && column !== undefined ? { [column.propertyName]: insertId } : undefined;
  };
  if (dialect.name === 'sqlite') driver.escapeQueryWithParameters = bindParameters;
}

/** Puts `?` for each `:name`, and for `:...name` one for each item. A name that has no value stays. */
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
