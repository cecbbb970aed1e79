import { Button, Group, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type PagedResult, readNextPage, rowsOf } from '../api/paged-list.js';
import { t } from '../texts/texts.js';
import { countOf } from './numbers.js';
import { Scroll } from './scroll.js';
import { Failing, Loading } from './states.js';

interface ListParts<Row> {
  /** Names the table for screen readers, and its rows in the line below: `domain`. */
  noun: string;
  /** The default is the noun with an s. */
  nouns?: string;
  query: PagedResult<Row>;
  columns: string[];
  /** A `Table.Tr` with a cell for each column, and a key. */
  row: (row: Row) => ReactNode;
  /** Shown when there is no row. */
  empty: ReactNode;
}

/** A list from the service: its first page at once, the next ones on request. */
export function List<Row>({ noun, nouns = `${noun}s`, query, columns, row, empty }: ListParts<Row>) {
  if (query.data === undefined) {
    if (query.error !== null) return <Failing error={query.error} reset={() => void query.refetch()} />;
    return <Loading />;
  }
  const rows = rowsOf(query.data);
  if (rows.length === 0 && !query.hasNextPage) return empty;
  return (
    <>
      <Scroll label={nouns}>
        <Table highlightOnHover aria-label={nouns}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column} scope="col">
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{rows.map(row)}</Table.Tbody>
        </Table>
      </Scroll>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {t(query.hasNextPage ? 'page.shownOfMore' : 'page.shown', { rows: countOf(rows.length, noun, nouns) })}
        </Text>
        {query.hasNextPage && (
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void readNextPage(query)}>
            {t('page.showMore')}
          </Button>
        )}
      </Group>
      {query.error !== null && <Failing error={query.error} reset={() => void query.refetch()} />}
    </>
  );
}
