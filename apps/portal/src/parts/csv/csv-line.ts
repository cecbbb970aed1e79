import { stringify } from 'csv-stringify/browser/esm/sync';

// As the API writes CSV (`apps/api/src/http/csv.ts`): a text that a spreadsheet would calculate begins with an
// apostrophe, so that it stays a text.
const OPTIONS = { record_delimiter: '\r\n', quoted_match: /[\r\n]/, escape_formulas: true };

/** A line of a CSV file (RFC 4180), with its end. Null is an empty cell; a list is one cell. */
export function csvLine(values: readonly unknown[]): string {
  return stringify([values.map(cellOf)], OPTIONS);
}

function cellOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(String).join(' ');
  // By itself the library writes true as 1 and false as nothing.
  return typeof value === 'boolean' ? String(value) : value;
}
