import { Table } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { Column } from './column.js';
import type { Order } from './sorted.js';

interface ColumnHeadProps<Row> {
  column: Column<Row>;
  order: Order | null;
  /** Undefined when the rows cannot be sorted by this column. */
  onSort: (() => void) | undefined;
}

export function ColumnHead<Row>({ column: { head, align }, order, onSort }: ColumnHeadProps<Row>) {
  const direction = order?.head === head ? order.direction : undefined;
  const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <Table.Th scope="col" role="columnheader" aria-sort={direction} className={align && 'portal-number-cell'}>
      {onSort === undefined ? (
        head
      ) : (
        <button type="button" className="portal-sort" onClick={onSort}>
          {head}
          <Arrow size={14} aria-hidden visibility={direction === undefined ? 'hidden' : 'visible'} />
        </button>
      )}
    </Table.Th>
  );
}
