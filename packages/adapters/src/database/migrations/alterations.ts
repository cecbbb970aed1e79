import type { EntitySchemaColumnOptions } from 'typeorm';
import { Columns } from '../driver/dialect.js';
import { MYSQL } from '../driver/mysql-dialect.js';
import { SQLITE } from '../driver/sqlite-dialect.js';
import type { Dialectal } from './step.js';

/** As in the entity schema of the table. */
type ColumnType = (columns: Columns) => EntitySchemaColumnOptions;

/**
 * Adds a column. It may be null, unless `type` has a default, because processes of the former release insert rows
 * without it.
 */
export function addColumn(table: string, column: string, type: ColumnType): Dialectal {
  const name = `Add${pascal(table)}${pascal(column)}`;
  const [mysql, sqlite] = [type(new Columns(MYSQL)), type(new Columns(SQLITE))];
  return {
    mysql: [[name, `ALTER TABLE \`${table}\` ADD \`${column}\` ${mysqlDefinition(mysql)}`]],
    sqlite: [[name, `ALTER TABLE "${table}" ADD COLUMN "${column}" ${sqliteDefinition(sqlite)}`]],
  };
}

function mysqlDefinition(column: EntitySchemaColumnOptions): string {
  const { charset, collation, default: preset, nullable = preset === undefined } = column;
  const collated = charset === undefined ? '' : ` CHARACTER SET ${charset} COLLATE ${collation}`;
  const byDefault = preset === undefined ? '' : ` DEFAULT ${literal(preset)}`;
  return `${typeOf(column)}${collated} ${nullable ? 'NULL' : 'NOT NULL'}${byDefault}`;
}

function sqliteDefinition(column: EntitySchemaColumnOptions): string {
  const { default: preset, nullable = preset === undefined } = column;
  const byDefault = preset === undefined ? '' : ` DEFAULT (${literal(preset)})`;
  return `${typeOf(column)}${nullable ? '' : ' NOT NULL'}${byDefault}`;
}

function typeOf({ type, length }: EntitySchemaColumnOptions): string {
  return length === undefined ? String(type) : `${String(type)}(${length})`;
}

function literal(preset: unknown): string {
  return typeof preset === 'string' ? `'${preset}'` : String(preset);
}

export function addIndex(
  name: string,
  table: string,
  columns: readonly string[],
  kind: '' | 'UNIQUE ' = '',
): Dialectal {
  const step = (quote: string): [string, string] => {
    const list = columns.map((column) => quote + column + quote).join(', ');
    return [
      `Index${pascal(name)}`,
      `CREATE ${kind}INDEX ${quote}${name}${quote} ON ${quote}${table}${quote} (${list})`,
    ];
  };
  return { mysql: [step('`')], sqlite: [step('"')] };
}

export function dropIndex(name: string, table: string): Dialectal {
  const step = `Drop${pascal(name)}`;
  return {
    mysql: [[step, `DROP INDEX \`${name}\` ON \`${table}\``]],
    sqlite: [[step, `DROP INDEX "${name}"`]],
  };
}

/** A row that exists gets null, or the default. A column with a default that may be null is also `nullable`. */
type Options = Pick<EntitySchemaColumnOptions, 'default' | 'nullable'>;

export function text(length: number, options: Options = {}): ColumnType {
  return (columns) => columns.text(length, options);
}

export function exact(length: number, options: Options = {}): ColumnType {
  return (columns) => columns.exact(length, options);
}

export function document(options: Options = {}): ColumnType {
  return (columns) => columns.document(options);
}

export function integer(options: Options = {}): ColumnType {
  return (columns) => columns.integer(options);
}

/** Up to 2^53 − 1. */
export function big(options: Options = {}): ColumnType {
  return (columns) => columns.big(options);
}

export function flag(options: Options = {}): ColumnType {
  return (columns) => columns.flag(options);
}

export function time(options: Options = {}): ColumnType {
  return (columns) => columns.time(options);
}

/** An id of another table, or of this one. */
export function ref(options: Options = {}): ColumnType {
  return (columns) => columns.ref(options);
}

/** A name of the database as a part of the name of a migration. */
function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
