/**
 * A table whose rows are computed from rows of other tables. Nobody writes it: each unit of work computes again, with
 * its last statements, the rows that its writes made stale (`StaleRows`), and `housekeeping` compares all
 * (`correctDerived`). Decision 0027.
 */
export interface Derived<Finder extends string = string> {
  table: string;
  /** The column with the id of the described row. Deleting the described row deletes the derived one (foreign key). */
  key: string;
  columns: readonly string[];
  /** The table of the described rows. Its ids are locked while their derived rows are computed. */
  of: string;
  /**
   * The columns of the described table by which a written row finds the rows that depend on it, and the index of
   * each.
   */
  finders: Readonly<Record<Finder, string>>;
  /**
   * What each row must be: the only text that knows. Ends in a condition, so that ` AND` and a condition on the
   * described row `d` may follow.
   */
  rows: string;
  sources: readonly Source<Finder>[];
}

/** A table of which the rows are computed. */
export interface Source<Finder extends string = string> {
  table: string;
  key: string;
  /**
   * By finder, the columns that are read: when one of them is written, the rows are stale whose described row has the
   * key of the written row in the column of the finder.
   */
  columns: Readonly<Partial<Record<Finder, readonly string[]>>>;
  /** The columns that decide whether a described row has a derived one. */
  existence?: readonly string[];
}

/** The finder of the described row itself, in every derived table. */
export const ITSELF = 'id';

/** Declares a derived table. The compiler compares the finders of its sources with its own. */
export function derived<Finder extends string>(declaration: Derived<Finder | typeof ITSELF>): Derived {
  return declaration;
}
