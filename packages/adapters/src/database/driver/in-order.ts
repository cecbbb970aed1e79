import type { Order } from '@mailstead/core/page';

/** Sorts rows by their ids. */
export function inOrder<Row extends { id: number }>(rows: Row[], order: Order | undefined): Row[] {
  return rows.sort((left, right) => (order === 'desc' ? right.id - left.id : left.id - right.id));
}
