import { perLocale } from '../../texts/texts.js';
import type { Column } from './column.js';

export interface Order {
  /** The head of the column. */
  head: string;
  direction: 'ascending' | 'descending';
}

const collator = perLocale((locale) => new Intl.Collator(locale, { numeric: true }));

/** The order after a press of a head: ascending, descending, then the order of the API again (null). */
export function nextOrder(order: Order | null, head: string): Order | null {
  if (order?.head !== head) return { head, direction: 'ascending' };
  return order.direction === 'ascending' ? { head, direction: 'descending' } : null;
}

/** @returns the rows in this order; equal ones stay as they are, and those without a value are last */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order | null) {
  const by = columns.find(({ head }) => head === order?.head)?.by;
  if (order === null || by === undefined) return rows;
  const sign = order.direction === 'ascending' ? 1 : -1;
  return rows
    .map((row) => ({ row, value: by(row) }))
    .toSorted(({ value: a }, { value: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null);
      return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : collator().compare(`${a}`, `${b}`));
    })
    .map(({ row }) => row);
}
