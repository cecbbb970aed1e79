import type { ReactNode } from 'react';

/** One value of each row: its head and its cell are declared together, so they cannot get out of step. */
export interface Column<Row> {
  head: string;
  /** Null or empty text for nothing: a dash, and left out on a phone. */
  cell: (row: Row) => ReactNode;
  /** For numbers, whose digits then stand below each other. */
  align?: 'end';
  /** What the rows are sorted by when the reader presses the head. Null comes last. */
  by?: (row: Row) => string | number | null;
  /**
   * The second line of a row on a phone has "head value" of each column but the first, whose value is the first line.
   * `bare`: the value alone, the head for screen readers only. `hidden`: where the row's own screen shows it.
   * `start`: before the first line.
   */
  phone?: 'bare' | 'hidden' | 'start';
  /** The value may have no place to break, such as an address. */
  isLong?: boolean;
}

/** @returns the column in a list when the condition holds, otherwise an empty list, to be spread into columns */
export function when<Row>(condition: boolean, column: Column<Row>): Column<Row>[] {
  return condition ? [column] : [];
}
