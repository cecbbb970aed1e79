import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type PagedResult, readNextPage, rowsOf, type Total, totalOfList } from '../api/paged-list.js';
import { useCaller } from '../api/session.js';
import { t } from '../texts/texts.js';
import { type ListFile, SaveList } from './csv/save-list.js';
import { FactsTable, type TableFacts } from './facts-table.js';
import { countOf } from './numbers.js';
import { Failing, Loading } from './states.js';

interface ListParts<Row> extends TableFacts<Row> {
  /** Names the table for screen readers, and its rows in the line below: `domain`. */
  noun: string;
  /** The default is the noun with an s. */
  nouns?: string;
  query: PagedResult<Row>;
  /** Shown when there is no row. */
  empty: ReactNode;
  /** Set when the whole list can be saved as a CSV file, which customers are not offered. */
  file?: ListFile<Row>;
}

/**
 * A list from the service: its first page at once, the next ones on request. It can be sorted when all of it is there:
 * sorted pages would hide that other rows come between them.
 */
export function List<Row>({ noun, nouns = `${noun}s`, query, empty, file, ...facts }: ListParts<Row>) {
  const isStaff = useCaller().link === null;
  if (query.data === undefined) {
    if (query.error !== null) return <Failing error={query.error} reset={() => void query.refetch()} />;
    return <Loading />;
  }
  const rows = rowsOf(query.data);
  if (rows.length === 0 && !query.hasNextPage) return empty;
  return (
    <>
      <FactsTable label={nouns} rows={rows} isWhole={!query.hasNextPage} {...facts} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {shownOf(countOf(rows.length, noun, nouns), query.hasNextPage ? totalOfList(query.data) : 'all')}
        </Text>
        <Group gap="xs">
          {file !== undefined && isStaff && <SaveList key={file.name} file={file} noun={noun} nouns={nouns} />}
          {query.hasNextPage && (
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void readNextPage(query)}>
              {t('page.showMore')}
            </Button>
          )}
        </Group>
      </Group>
      {query.error !== null && <Failing error={query.error} reset={() => void query.refetch()} />}
    </>
  );
}

/** How much of the list is shown. @param total of the whole list; null when nobody counted it */
function shownOf(rows: string, total: Total | 'all' | null): string {
  if (total === 'all') return t('page.shown', { rows });
  if (total === null) return t('page.shownOfMore', { rows });
  return t(total.more ? 'page.shownOfMoreThan' : 'page.shownOf', { rows, total: total.count });
}
