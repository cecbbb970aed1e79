import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from './column.js';

interface TableRowProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  menu: ((row: Row) => ReactNode) | undefined;
}

/** A row whose first value names it. The attributes are for its second line on a phone (`tables.css`). */
export function TableRow<Row>({ row, columns, menu }: TableRowProps<Row>) {
  const cells = columns.map((column) => ({ ...column, content: column.cell(row) }));
  const name = cells.find(({ phone }) => phone !== 'start');
  const facts = cells.filter(
    (each) => each !== name && each.phone !== 'start' && each.phone !== 'hidden' && isAny(each),
  );
  return (
    <Table.Tr>
      {cells.map((each) => {
        const { head, align, phone, isLong, content } = each;
        const className =
          [align && 'portal-number-cell', isLong && 'portal-long'].filter(Boolean).join(' ') || undefined;
        if (each === name)
          return (
            <Table.Th key={head} scope="row" className={className}>
              {content}
            </Table.Th>
          );
        const isShown = phone === 'start' || facts.includes(each);
        return (
          <Table.Td
            key={head}
            className={className}
            data-phone={isShown ? (phone ?? 'labelled') : 'hidden'}
            data-head={head}
            data-then={(facts.includes(each) && each !== facts.at(-1)) || undefined}
          >
            {isAny(each) ? content : '–'}
          </Table.Td>
        );
      })}
      {menu !== undefined && <Table.Td className="portal-row-menu">{menu(row)}</Table.Td>}
    </Table.Tr>
  );
}

function isAny({ content }: { content: ReactNode }): boolean {
  return content !== null && content !== undefined && content !== '';
}
