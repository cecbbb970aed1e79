import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { Scroll } from './scroll.js';

interface Facts {
  /** Names the table for screen readers. */
  label: string;
  columns: string[];
  /** A `Table.Tr` for each row, with a cell for each column. */
  children: ReactNode;
}

/** A table of a known size, which needs no pages. */
export function FactsTable({ label, columns, children }: Facts) {
  return (
    <Scroll label={label}>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} scope="col">
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
