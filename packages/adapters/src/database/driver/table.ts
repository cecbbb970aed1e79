import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { chunksOf } from './chunks.js';
import type { Database, Parameter, Row, Statement } from './database.js';

interface Constructed<Entity> {
  prototype: Entity;
}

/** One entity's table for the plain SQL of a `*-statements.ts`, with the columns and transformers of the entity's schema. */
export class Table<Entity extends object> {
  private cached: EntityMetadata | undefined;
  private own: ColumnMetadata[] | undefined;
  private saved: ColumnMetadata[] | undefined;
  /** By alias: names and transformers are looked up once, not for every row of a list. */
  private readonly readers = new Map<string, FieldReader[]>();

  constructor(
    private readonly database: Database,
    /** The entity's class; a private constructor is never called. */
    private readonly target: Constructed<Entity>,
  ) {}

  get name(): string {
    return this.metadata.tableName;
  }

  get columnNames(): string[] {
    return this.stored.map(({ databaseName }) => databaseName);
  }

  /** The columns for a select list, each as `alias__column`. */
  columns(alias: string): string {
    return this.stored.map(({ databaseName }) => `${alias}.${databaseName} AS ${alias}__${databaseName}`).join(', ');
  }

  /** Makes an entity of a row selected with `columns(alias)`, and sets `extra` on it. */
  hydrate(row: Row, alias: string, extra: Partial<Entity> = {}): Entity {
    const entity = Object.create(this.target.prototype) as Entity;
    const fields = entity as Record<string, unknown>;
    for (const { property, key, from } of this.readersOf(alias)) {
      const value = row[key] ?? null;
      fields[property] = from === null ? value : from(value);
    }
    return Object.assign(entity, extra);
  }

  private readersOf(alias: string): FieldReader[] {
    const known = this.readers.get(alias);
    if (known !== undefined) return known;
    const readers = this.stored.map((column) => {
      const transformer = column.transformer as Transformer | undefined;
      return {
        property: column.propertyName,
        key: `${alias}__${column.databaseName}`,
        from: transformer === undefined ? null : (value: unknown) => transformer.from(value),
      };
    });
    this.readers.set(alias, readers);
    return readers;
  }

  /** Inserts an entity and answers it with its generated id. */
  async insert(entity: Entity): Promise<Entity> {
    const columns = this.stored.filter((column) => !column.isGenerated);
    const { insertId } = await this.database.write(
      `INSERT INTO ${this.metadata.tableName} (${columns.map((column) => column.databaseName).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      columns.map((column) => toDatabase(column, entity)),
    );
    const generated = this.metadata.generatedColumns[0];
    if (generated !== undefined) Reflect.set(entity, generated.propertyName, insertId);
    return entity;
  }

  /** Inserts many rows, as many with one statement as it takes. */
  async insertMany(entities: Entity[]): Promise<void> {
    const columns = this.stored.filter((column) => !column.isGenerated);
    const tuple = `(${columns.map(() => '?').join(', ')})`;
    const rows = entities.map((entity) => columns.map((column) => toDatabase(column, entity)));
    for (const chunk of chunksOf(rows, (row) => row)) {
      await this.database.write(
        `INSERT INTO ${this.metadata.tableName} (${columns.map((column) => column.databaseName).join(', ')}) VALUES ${chunk.map(() => tuple).join(', ')}`,
        chunk.flat(),
      );
    }
  }

  /** Writes every field of a stored entity but those that its schema marks with `update: false`. */
  async save(entity: Entity): Promise<void> {
    this.saved ??= this.stored.filter((column) => column.isUpdate && !column.isPrimary);
    const keys = this.metadata.primaryColumns;
    await this.database.write(
      `UPDATE ${this.metadata.tableName} SET ${this.saved.map(equals).join(', ')} WHERE ${keys.map(equals).join(' AND ')}`,
      [...this.saved, ...keys].map((column) => toDatabase(column, entity)),
    );
  }

  /** Writes the given fields of an entity by its primary key. */
  async update(entity: Entity, fields: readonly (keyof Entity & string)[]): Promise<void> {
    const keys = this.metadata.primaryColumns;
    const set = this.assignments(entity, fields);
    await this.database.write(
      `UPDATE ${this.metadata.tableName} SET ${set.sql} WHERE ${keys.map((key) => `${key.databaseName} = ?`).join(' AND ')}`,
      [...set.parameters, ...keys.map((key) => toDatabase(key, entity))],
    );
  }

  /** The given fields of an entity for the SET of an UPDATE, also of another table with the same columns. */
  assignments(entity: Entity, fields: readonly (keyof Entity & string)[]): Statement {
    const columns = fields.map((field) => this.column(field));
    return {
      sql: columns.map((column) => `${column.databaseName} = ?`).join(', '),
      parameters: columns.map((column) => toDatabase(column, entity)),
    };
  }

  private column(field: string): ColumnMetadata {
    const column = this.metadata.findColumnWithPropertyName(field);
    if (column === undefined) throw new Error(`${this.metadata.tableName} has no column for ${field}`);
    return column;
  }

  /** The columns of the table, without what a schema reads from another table (`virtualProperty`). */
  private get stored(): ColumnMetadata[] {
    this.own ??= this.metadata.columns.filter((column) => !column.isVirtualProperty);
    return this.own;
  }

  private get metadata(): EntityMetadata {
    this.cached ??= this.database.metadata(this.target);
    return this.cached;
  }
}

function equals({ databaseName }: ColumnMetadata): string {
  return `${databaseName} = ?`;
}

interface Transformer {
  from(value: unknown): unknown;
  to(value: unknown): unknown;
}

/** How one field of an entity is read from a row. */
interface FieldReader {
  property: string;
  key: string;
  from: ((value: unknown) => unknown) | null;
}

function toDatabase(column: ColumnMetadata, entity: object): Parameter {
  const value: unknown = Reflect.get(entity, column.propertyName);
  const transformer = column.transformer as Transformer | undefined;
  return (transformer === undefined ? (value ?? null) : transformer.to(value ?? null)) as Parameter;
}
