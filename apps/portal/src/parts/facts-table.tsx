import { Table, type TableProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Scroll } from './scroll.js';

interface Facts extends TableProps {
  /** Names the table for screen readers. */
  label: string;
  columns: string[];
  /** A `Table.Tr` for each row, with a cell for each column. */
  children: ReactNode;
}

/**
 * A table whose rows are cards on a phone, with the name of the column before each cell. The style sheet takes the
 * names from variables, so a cell need not know its column. It shows what it gets: `List` adds the pages.
 */
export function FactsTable({ label, columns, children, ...others }: Facts) {
  const names = columns.map((column, index) => [`--column-${index + 1}`, JSON.stringify(column)]);
  return (
    <Scroll label={label}>
      <Table aria-label={label} className="portal-cards" style={Object.fromEntries(names)} {...others}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} scope="col" role="columnheader">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Scroll>
  );
}
