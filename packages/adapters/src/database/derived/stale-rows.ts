import { chunksOf } from '../driver/chunks.js';
import type { Dialect } from '../driver/dialect.js';
import type { Parameter, Statement } from '../driver/session.js';
import { type Derived, ITSELF } from './derived.js';
import type { Change } from './derived-rows.js';

/** The stale rows of one derived table. */
class Stale {
  /** By finder, the keys by which the described rows are found. */
  readonly keys = new Map<string, Set<number>>();
  /** Described rows that the transaction inserted: they have no derived row yet, and nobody else can lock them. */
  readonly added = new Set<number>();
  /** Described rows that may no longer have a derived row. */
  readonly gone = new Set<number>();

  of(finder: string): Set<number> {
    const known = this.keys.get(finder) ?? new Set();
    this.keys.set(finder, known);
    return known;
  }

  forget(key: number, finders: readonly string[]): void {
    for (const finder of finders) this.of(finder).delete(key);
    this.added.delete(key);
    this.gone.delete(key);
  }
}

/**
 * The derived rows that the writes of one transaction made stale.
 *
 * The row of a domain depends on rows of its parent and of its partner, which other transactions change. So each
 * transaction locks the domain first and computes then: with READ COMMITTED every statement reads what is committed
 * when it begins. Of two transactions that change sources of the same row, the second one therefore computes from the
 * changes of both. It need not lock the parent and the partner: whoever changes those computes the row after it too.
 * Only the described rows are locked, in the order of the finders, and of their ids.
 */
export class StaleRows {
  private readonly tables = new Map<Derived, Stale>();

  constructor(private readonly dialect: Dialect) {}

  /** @param keys those of the written rows */
  add({ kind, table, effects }: Change, keys: readonly number[]): void {
    for (const { derived, finders, isExistence } of effects) {
      const stale = this.of(derived);
      const isDescribed = table === derived.of;
      for (const key of keys) {
        // The foreign key deletes the derived row of a deleted row, and nothing refers to a deleted row.
        if (kind === 'delete' && isDescribed) {
          stale.forget(key, finders);
          continue;
        }
        for (const finder of finders) stale.of(finder).add(key);
        if (kind === 'insert' && isDescribed) stale.added.add(key);
        if (isExistence) stale.gone.add(key);
      }
    }
  }

  /** Adds described rows whose derived rows may be wrong. */
  addWrong(derived: Derived, ids: readonly number[]): void {
    for (const id of ids) {
      this.of(derived).of(ITSELF).add(id);
      this.of(derived).gone.add(id);
    }
  }

  /** @returns the statements that compute the stale rows, which must be the last of the transaction; each once */
  take(): Statement[] {
    const statements = [...this.tables].flatMap(([derived, stale]) => this.statements(derived, stale));
    this.tables.clear();
    return statements;
  }

  private of(derived: Derived): Stale {
    const known = this.tables.get(derived) ?? new Stale();
    this.tables.set(derived, known);
    return known;
  }

  private statements(derived: Derived, { keys, added, gone }: Stale): Statement[] {
    const found = Object.keys(derived.finders).flatMap((finder) =>
      scopesOf(
        finder,
        [...(keys.get(finder) ?? [])].filter((key) => finder !== ITSELF || !added.has(key)),
      ),
    );
    return [
      ...(this.dialect.hasOneWriter ? [] : found.map((scope) => this.lock(derived, scope))),
      ...scopesOf(derived.key, [...gone]).map((scope) => remove(derived, scope)),
      ...[...found, ...scopesOf(ITSELF, [...added])].map((scope) => this.write(derived, scope)),
    ];
  }

  /** The index has the ids in ascending order, and no other row is locked. */
  private lock({ of, finders }: Derived, { column, condition, parameters }: Scope): Statement {
    const index = this.dialect.byIndex(finders[column] ?? '');
    return { sql: `SELECT d.id FROM ${of} d${index} WHERE d.${condition}${this.dialect.forUpdate}`, parameters };
  }

  private write({ table, key, columns, rows }: Derived, { condition, parameters }: Scope): Statement {
    const changed = columns.filter((column) => column !== key);
    const assignments = changed.map((column) => `${column} = ${this.dialect.inserted(column)}`).join(', ');
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) ${rows} AND d.${condition} ${this.dialect.onConflict([key])} ${assignments}`;
    return { sql, parameters };
  }
}

function remove({ table }: Derived, { condition, parameters }: Scope): Statement {
  return { sql: `DELETE FROM ${table} WHERE ${condition}`, parameters };
}

interface Scope {
  column: string;
  condition: string;
  parameters: Parameter[];
}

function scopesOf(column: string, keys: readonly number[]): Scope[] {
  return chunksOf(keys.toSorted((left, right) => left - right)).map((chunk) => ({
    column,
    condition: `${column} IN (${chunk.map(() => '?').join(', ')})`,
    parameters: chunk,
  }));
}
