import { Button, Group, Loader, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { DownloadIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../api/problem.js';
import { loadAgain } from '../../load-again.js';
import { countOf } from '../numbers.js';
import { saveFile } from '../save-text.js';

/** The rows are in memory until the file is complete. */
const MOST_ROWS = 200_000;

/** A list that can be saved as a file. */
export interface ListFile<Row> {
  /** Begins the name of the file. */
  name: string;
  /** Reads the whole list, as it is narrowed now, a page at a time. */
  everyPage: (signal: AbortSignal) => AsyncGenerator<Row[], void, undefined>;
  columns: readonly FileColumn<Row>[];
}

/** A field of the API under its name, or what is read from a row under another name. */
export type FileColumn<Row> = (keyof Row & string) | { name: string; value: (row: Row) => unknown };

interface SaveListParts<Row> {
  file: ListFile<Row>;
  noun: string;
  nouns: string;
}

/** Saves the whole list as a CSV file. It says how far it is, and can be cancelled. */
export function SaveList<Row>({ file, noun, nouns }: SaveListParts<Row>) {
  const [read, setRead] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const save = async () => {
    const controller = new AbortController();
    running.current = controller;
    setRead(0);
    try {
      const { parts, isWhole } = await linesOf(file, controller.signal, setRead);
      saveFile(`${file.name}.csv`, new Blob(parts, { type: 'text/csv' }));
      if (!isWhole)
        notifications.show({
          title: 'Not all is saved',
          message: `The file has the first ${countOf(MOST_ROWS, noun, nouns)}. Search for fewer.`,
        });
    } catch (error) {
      if (!controller.signal.aborted)
        notifications.show({ color: 'red', title: 'Not saved', message: sentenceOf(error) });
    } finally {
      if (running.current === controller) setRead(null);
    }
  };
  if (read === null)
    return (
      <Button
        variant="default"
        leftSection={<DownloadIcon size={16} aria-hidden />}
        aria-label={`CSV file: all ${nouns}`}
        onClick={() => void save()}
      >
        CSV file
      </Button>
    );
  return (
    <Group gap="xs">
      <Loader size="xs" aria-hidden />
      <Text size="sm" role="status">
        {countOf(read, noun, nouns)} read …
      </Text>
      <Button
        variant="default"
        onClick={() => {
          running.current?.abort();
          setRead(null);
        }}
      >
        Cancel
      </Button>
    </Group>
  );
}

async function linesOf<Row>(
  { everyPage, columns }: ListFile<Row>,
  signal: AbortSignal,
  onRead: (rows: number) => void,
): Promise<{ parts: string[]; isWhole: boolean }> {
  const { csvLine } = await loadAgain(
    () => import('./csv-line.js'),
    () => false,
  );
  const parts = [csvLine(columns.map((column) => (typeof column === 'string' ? column : column.name)))];
  const valuesOf = (row: Row) =>
    columns.map((column) => (typeof column === 'string' ? row[column] : column.value(row)));
  let count = 0;
  for await (const rows of everyPage(signal)) {
    signal.throwIfAborted();
    const fitting = rows.slice(0, MOST_ROWS - count);
    parts.push(fitting.map((row) => csvLine(valuesOf(row))).join(''));
    count += fitting.length;
    onRead(count);
    if (fitting.length < rows.length) return { parts, isWhole: false };
  }
  return { parts, isWhole: true };
}
