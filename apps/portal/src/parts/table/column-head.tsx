import { Table, VisuallyHidden } from '@mantine/core';
import { ArrowDownIcon, ArrowUpIcon } from 'lucide-react';
import type { Column } from './column.js';
import type { Order } from './sorted.js';

interface ColumnHeadProps<Row> {
  column: Column<Row>;
  order: Order | null;
  /** Undefined when the rows cannot be sorted by this column. */
  onSort: (() => void) | undefined;
}

export function ColumnHead<Row>({ column: { head, align, phone }, order, onSort }: ColumnHeadProps<Row>) {
  const direction = order?.head === head ? order.direction : undefined;
  const Arrow = direction === 'descending' ? ArrowDownIcon : ArrowUpIcon;
  return (
    <Table.Th scope="col" role="columnheader" aria-sort={direction} className={align && 'portal-number-cell'}>
      {onSort === undefined ? (
        unsorted(head, phone)
      ) : (
        <button type="button" className="portal-sort" onClick={onSort}>
          {head}
          <Arrow size={14} aria-hidden visibility={direction === undefined ? 'hidden' : 'visible'} />
        </button>
      )}
    </Table.Th>
  );
}

/** What stands before the name of a row, such as a checkbox, needs no room for its head. */
function unsorted(head: string, phone: Column<never>['phone']) {
  return phone === 'start' ? <VisuallyHidden>{head}</VisuallyHidden> : head;
}
