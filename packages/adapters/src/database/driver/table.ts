import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { chunksOf } from './chunks.js';
import type { Database, Parameter, Row } from './database.js';

export interface CopiedColumn<Entity> {
  column: string;
  /** An expression with one parameter: the property `by` of the entity. */
  sql: string;
  by: keyof Entity & string;
}

interface Constructed<Entity> {
  prototype: Entity;
}

/** Builds plain SQL for an entity's table, with the columns and transformers of its schema. For `*-statements.ts`. */
export class Table<Entity extends object> {
  private cached: EntityMetadata | undefined;
  private own: ColumnMetadata[] | undefined;
  private changeable: ColumnMetadata[] | undefined;
  private insertion: PreparedText | undefined;
  /** Names and transformers of the columns by table alias, so that they are not looked up for every row. */
  private readonly readers = new Map<string, FieldReader[]>();

  constructor(
    private readonly database: Database,
    /** The entity's class. Its constructor is not called and may be private. */
    private readonly target: Constructed<Entity>,
    /** A column that an insert copies from another table. It is no property of the entity. */
    private readonly copied: CopiedColumn<Entity> | null = null,
  ) {}

  /** @returns the columns for a SELECT, each as `alias__column` */
  columns(alias: string): string {
    return this.selected.map(({ databaseName }) => `${alias}.${databaseName} AS ${alias}__${databaseName}`).join(', ');
  }

  /** Creates an entity from a row that was selected with `columns(alias)`, and assigns `extra` to it. */
  hydrate(row: Row, alias: string, extra: Partial<Entity> = {}): Entity {
    const entity = Object.create(this.target.prototype) as Entity;
    const fields = entity as Record<string, unknown>;
    for (const { property, key, from } of this.readersOf(alias)) {
      const value = row[key] ?? null;
      fields[property] = from === null ? value : from(value);
    }
    return Object.assign(entity, extra);
  }

  /**
   * The same for a row that the unit of work has locked: `save` then writes the columns that differ from it, no
   * others.
   */
  hydrateLocked(row: Row, alias: string, extra: Partial<Entity> = {}): Entity {
    const entity = this.hydrate(row, alias, extra);
    this.database.currentTransaction()?.locked.set(entity, this.savedValues(entity));
    return entity;
  }

  private readersOf(alias: string): FieldReader[] {
    const known = this.readers.get(alias);
    if (known !== undefined) return known;
    const readers = this.selected.map((column) => {
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

  /** Inserts an entity. @returns it with its generated id */
  async insert(entity: Entity): Promise<Entity> {
    this.insertion ??= this.insertionOf();
    const { insertId } = await this.database.write(this.insertion.sql, this.valuesOf(this.insertion, entity));
    const [generated] = this.metadata.generatedColumns;
    if (generated !== undefined) Reflect.set(entity, generated.propertyName, insertId);
    return entity;
  }

  /** Inserts many entities, whose generated ids stay unknown. */
  async insertAll(entities: readonly Entity[]): Promise<void> {
    this.insertion ??= this.insertionOf();
    const { insertion } = this;
    const [head = '', tuple = ''] = insertion.sql.split(' VALUES ');
    const valuesOf = (entity: Entity) => this.valuesOf(insertion, entity);
    for (const chunk of chunksOf(entities, valuesOf)) {
      await this.database.write(`${head} VALUES ${chunk.map(() => tuple).join(', ')}`, chunk.flatMap(valuesOf));
    }
  }

  /** Updates the changed columns of a locked entity; of another one all. Never those with `update: false`. */
  async save(entity: Entity): Promise<void> {
    const locked = this.database.currentTransaction()?.locked;
    const [before, after] = [locked?.get(entity), this.savedValues(entity)];
    const isChanged = (_: unknown, index: number) => before === undefined || before[index] !== after[index];
    const changed = this.saved.filter(isChanged);
    if (changed.length === 0) return;
    const keys = this.metadata.primaryColumns;
    await this.database.write(
      `UPDATE ${this.metadata.tableName} SET ${changed.map(equals).join(', ')} WHERE ${keys.map(equals).join(' AND ')}`,
      [...after.filter(isChanged), ...keys.map((column) => toDatabase(column, entity))],
    );
    locked?.set(entity, after);
  }

  private savedValues(entity: Entity): Parameter[] {
    return this.saved.map((column) => toDatabase(column, entity));
  }

  private valuesOf({ columns }: PreparedText, entity: Entity): Parameter[] {
    const values = columns.map((column) => toDatabase(column, entity));
    return this.copied === null ? values : [...values, Reflect.get(entity, this.copied.by) as Parameter];
  }

  private insertionOf(): PreparedText {
    const columns = this.selected.filter(({ isGenerated, isInsert }) => !isGenerated && isInsert);
    const names = columns.map(({ databaseName }) => databaseName);
    const values = columns.map(() => '?');
    if (this.copied !== null) {
      names.push(this.copied.column);
      values.push(this.copied.sql);
    }
    const sql = `INSERT INTO ${this.metadata.tableName} (${names.join(', ')}) VALUES (${values.join(', ')})`;
    return { sql, columns };
  }

  /** All columns except those that are not read (`select: false`) or read from another table (`virtualProperty`). */
  private get selected(): ColumnMetadata[] {
    this.own ??= this.metadata.columns.filter(({ isSelect, isVirtualProperty }) => isSelect && !isVirtualProperty);
    return this.own;
  }

  private get saved(): ColumnMetadata[] {
    this.changeable ??= this.selected.filter(({ isUpdate, isPrimary }) => isUpdate && !isPrimary);
    return this.changeable;
  }

  private get metadata(): EntityMetadata {
    this.cached ??= this.database.metadata(this.target);
    return this.cached;
  }
}

/** A statement's text, and the columns whose values are its parameters. */
interface PreparedText {
  sql: string;
  columns: ColumnMetadata[];
}

function equals({ databaseName }: ColumnMetadata): string {
  return `${databaseName} = ?`;
}

interface Transformer {
  from(value: unknown): unknown;
  to(value: unknown): unknown;
}

/** Reads one field of an entity from a row. */
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
