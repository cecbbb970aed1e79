import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Database, Row } from './database.js';

interface Constructed<Entity> {
  prototype: Entity;
}

/**
 * One entity's table, read by plain SQL with the columns and transformers of its schema. TypeORM's own
 * finders cost two to five times as much and cannot be batched.
 */
export class Table<Entity extends object> {
  private cached: EntityMetadata | undefined;
  /** By alias: names and transformers are looked up once, not for every row of a list. */
  private readonly readers = new Map<string, FieldReader[]>();

  constructor(
    private readonly database: Database,
    /** The entity's class; a private constructor is never called. */
    private readonly target: Constructed<Entity>,
  ) {}

  /** The columns for a select list, each as `alias__column`. */
  columns(alias: string): string {
    return this.selected.map(({ databaseName }) => `${alias}.${databaseName} AS ${alias}__${databaseName}`).join(', ');
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

  /** Without what a schema never reads (`select: false`), and what it reads from another table (`virtualProperty`). */
  private get selected(): ColumnMetadata[] {
    return this.metadata.columns.filter(({ isSelect, isVirtualProperty }) => isSelect && !isVirtualProperty);
  }

  private get metadata(): EntityMetadata {
    this.cached ??= this.database.metadata(this.target);
    return this.cached;
  }
}

interface Transformer {
  from(value: unknown): unknown;
}

/** How one field of an entity is read from a row. */
interface FieldReader {
  property: string;
  key: string;
  from: ((value: unknown) => unknown) | null;
}
