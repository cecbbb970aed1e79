import { stringify } from 'csv-stringify/sync';
import { type ReadChunks, StreamedText } from './responses.js';

export const CSV = 'text/csv';

/** A text that a spreadsheet would calculate begins with an apostrophe, so that it stays a text. */
const OPTIONS = { record_delimiter: '\r\n', quoted_match: /[\r\n]/, escape_formulas: true };

/**
 * Returns a list as CSV (RFC 4180, UTF-8), with a line of the names of its columns.
 */
export function streamedCsv(columns: readonly string[], read: ReadChunks): StreamedText {
  const line = (row: object) => csvLine(columns.map((column): unknown => Reflect.get(row, column)));
  return new StreamedText(`${CSV}; charset=utf-8; header=present`, csvLine(columns), line, read);
}

/** A line of texts and numbers, with its end. Null is an empty cell. */
export function csvLine(values: readonly unknown[]): string {
  return stringify([[...values]], OPTIONS);
}

/** Whether a client asks for CSV rather than for JSON, which is the default. */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = accept.split(',').map(readRange);
  const csv = qualityOf(ranges, [CSV, 'text/*']);
  return csv > 0 && csv > qualityOf(ranges, ['application/json', 'application/*', '*/*']);
}

interface MediaRange {
  type: string;
  quality: number;
}

function readRange(range: string): MediaRange {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice('q='.length));
  return { type, quality: Number.isNaN(quality) ? 0 : quality };
}

/** The quality of the first of the types that is named; 0 when none is. */
function qualityOf(ranges: readonly MediaRange[], types: readonly string[]): number {
  for (const type of types) {
    const named = ranges.find((range) => range.type === type);
    if (named !== undefined) return named.quality;
  }
  return 0;
}
