import type { Dialect } from '../driver/dialect.js';
import type { Statement } from '../driver/session.js';
import { type Derived, ITSELF, type Source } from './derived.js';
import { StaleRows } from './stale-rows.js';
import { readWritten, tableOf, type Written } from './written.js';

/** The most texts of statements that are remembered. */
const MAX_TEXTS = 1_000;

/** What a statement makes stale. */
export interface Change {
  kind: Written['kind'];
  keys: Written['keys'];
  table: string;
  effects: Effect[];
}

/** A table and one derived table that depends on it. */
interface Use {
  derived: Derived;
  source: Source;
}

interface Effect {
  derived: Derived;
  /** The finders by which the keys of the written rows are looked for. */
  finders: string[];
  isExistence: boolean;
}

/** The derived tables of a database. Reads in the text of each statement which derived rows it makes stale. */
export class DerivedRows {
  private readonly sources = new Map<string, { key: string; uses: Use[] }>();
  private readonly changes = new Map<string, Change | null>();

  constructor(
    readonly tables: readonly Derived[],
    private readonly dialect: Dialect,
  ) {
    for (const derived of tables) {
      for (const source of derived.sources) {
        const { key, uses } = this.sources.get(source.table) ?? { key: source.key, uses: [] };
        this.sources.set(source.table, { key, uses: [...uses, { derived, source }] });
      }
    }
  }

  noneStale(): StaleRows {
    return new StaleRows(this.dialect);
  }

  /**
   * @returns null when no derived row depends on what the statement writes, as on the counts of increments
   * @throws Error when the statement writes a source and names no columns
   */
  changeOf(sql: string): Change | null {
    const write = tableOf(sql);
    const source = write === null ? undefined : this.sources.get(write.table);
    if (write === null || source === undefined) return null;
    const known = this.changes.get(sql);
    if (known !== undefined) return known;
    const written = readWritten(write.verb, write.rest, source.key);
    const effects = source.uses.flatMap((use) => effectOf(use, written));
    const change =
      effects.length === 0 ? null : { kind: written.kind, keys: written.keys, table: write.table, effects };
    if (this.changes.size >= MAX_TEXTS) this.changes.clear();
    this.changes.set(sql, change);
    return change;
  }
}

function effectOf({ derived, source }: Use, { kind, columns, updated }: Written): Effect[] {
  const isWritten = (names: readonly string[] = []) => columns === null || names.some((name) => columns.includes(name));
  const finders = Object.entries(source.columns)
    // No row refers to an inserted or deleted row.
    .filter(
      ([finder, names]) =>
        (isWritten(names) && (kind === 'update' || finder === ITSELF)) ||
        names?.some((name) => updated.includes(name)) === true,
    )
    .map(([finder]) => finder);
  const isExistence = kind === 'delete' || (kind === 'update' && isWritten(source.existence));
  return finders.length === 0 ? [] : [{ derived, finders, isExistence }];
}

/**
 * @param keys those of the written rows, for a statement whose text does not tell them
 * @throws Error when they are not known
 */
export function keysOf(
  change: Change,
  { sql, parameters }: Statement,
  insertId: number | null,
  keys: readonly number[] | null,
): readonly number[] {
  const found = keys ?? change.keys(parameters, insertId);
  if (found === null)
    throw new Error(`Derived rows depend on rows whose keys the statement does not tell: ${sql.slice(0, 200)}`);
  return found;
}
