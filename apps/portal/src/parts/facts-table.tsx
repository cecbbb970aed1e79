import { Table, VisuallyHidden } from '@mantine/core';
import { type Key, type ReactNode, useState } from 'react';
import { t } from '../texts/texts.js';
import { Scroll } from './scroll.js';
import type { Column } from './table/column.js';
import { ColumnHead } from './table/column-head.js';
import { nextOrder, type Order, sorted } from './table/sorted.js';
import { TableRow } from './table/table-row.js';

export interface TableFacts<Row> {
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => Key;
  /** A `RowMenu`, at the end of each row. */
  menu?: ((row: Row) => ReactNode) | undefined;
}

interface FactsTableProps<Row> extends TableFacts<Row> {
  /** Names the table for screen readers. */
  label: string;
  rows: readonly Row[];
  /** Whether there are no other rows. Only then the reader can sort them. */
  isWhole?: boolean;
}

/**
 * A table whose head stays in sight while its rows scroll. On a phone each row has two lines. It shows what it gets:
 * `List` adds the pages.
 */
export function FactsTable<Row>({ label, columns, rows, keyOf, menu, isWhole = true }: FactsTableProps<Row>) {
  const [wanted, setWanted] = useState<Order | null>(null);
  const order = isWhole ? wanted : null;
  const sort = ({ head, by }: Column<Row>) =>
    isWhole && by !== undefined ? () => setWanted(nextOrder(order, head)) : undefined;
  return (
    <Scroll label={label}>
      <Table
        aria-label={label}
        className="portal-table"
        withRowBorders={false}
        highlightOnHover
        data-has-menu={menu !== undefined || undefined}
        data-has-start={columns[0]?.phone === 'start' || undefined}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <ColumnHead key={column.head} column={column} order={order} onSort={sort(column)} />
            ))}
            {menu !== undefined && (
              <Table.Th scope="col" role="columnheader">
                <VisuallyHidden>{t('page.actions')}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted(rows, columns, order).map((row) => (
            <TableRow key={keyOf(row)} row={row} columns={columns} menu={menu} />
          ))}
        </Table.Tbody>
      </Table>
    </Scroll>
  );
}
