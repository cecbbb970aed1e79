import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import type { NewMailboxLine } from '../../../../api/mailbox-batches.js';
import { Refusal } from '../../../../api/problem.js';
import { storedName } from '../../../../parts/unicode-name.js';
import { addressIn } from '../../address-in.js';

export const MOST_LINES = 500;
export const MOST_BYTES = 1_048_576;

const COLUMNS = ['email', 'password', 'password_hash', 'name', 'quota_mb', 'external_ref'] as const;
type Column = (typeof COLUMNS)[number];
type Cells = Partial<Record<Column, string>>;

const EXPECTED = 'email, password or password_hash, name, quota_mb, external_ref';

export interface MailboxFile {
  lines: NewMailboxLine[];
  problems: { line: number; problem: string }[];
}

interface ReadRecord {
  record: string[];
  info: { lines: number };
}

/**
 * Reads the mailboxes of a CSV file for a domain. Checks only what makes a line readable: the rest is the API's to say.
 *
 * @throws Refusal when nothing of the file can be read
 */
export function mailboxesIn(bytes: Uint8Array, domain: string): MailboxFile {
  if (bytes.length > MOST_BYTES) throw new Refusal('The file must have at most 1 MiB.');
  const text = textOf(bytes);
  const { records, problems } = recordsOf(text);
  const [head, ...rows] = records;
  if (head === undefined) throw new Refusal(`The file must have a first line with the columns: ${EXPECTED}.`);
  const columns = columnsOf(head.record);
  if (rows.length + problems.length === 0) throw new Refusal('The file has no line after the one with the columns.');
  if (rows.length > MOST_LINES)
    throw new Refusal(`The file must have at most ${MOST_LINES} lines; it has ${rows.length}.`);
  const lines: NewMailboxLine[] = [];
  const lineOfAddress = new Map<string, number>();
  for (const { record, info } of rows) {
    const line = info.lines;
    try {
      const body = bodyOf(record, columns, domain);
      const former = lineOfAddress.get(body.email);
      if (former !== undefined) throw new Refusal(`Line ${former} has the same address.`);
      lineOfAddress.set(body.email, line);
      lines.push({ line, body });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push({ line, problem: error.message });
    }
  }
  return { lines, problems: problems.sort((one, other) => one.line - other.line) };
}

/** Bytes in another encoding would become other letters. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('The file must be UTF-8. Spreadsheets save it as “CSV UTF-8”.');
  }
}

function recordsOf(text: string): { records: ReadRecord[]; problems: MailboxFile['problems'] } {
  const problems: MailboxFile['problems'] = [];
  try {
    const records: unknown = parse(text, {
      // A password may contain the others.
      delimiter: delimiterOf(text),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      on_skip: (error) => void problems.push({ line: lineOf(error), problem: quotesOf(error) }),
    });
    return { records: records as ReadRecord[], problems };
  } catch (error) {
    if (error instanceof CsvError) throw new Refusal(`The quotes are wrong, at line ${lineOf(error)} or before.`);
    throw error;
  }
}

function quotesOf(error: CsvError | undefined): string {
  return error?.code === 'CSV_QUOTE_NOT_CLOSED'
    ? 'A quote that begins in this line or before never ends.'
    : 'The quotes of this line are wrong.';
}

function lineOf(error: CsvError | undefined): number {
  return typeof error?.lines === 'number' ? error.lines : 1;
}

function delimiterOf(text: string): string {
  return /[,;\t]/.exec(text.split(/[\r\n]/, 1)[0] ?? '')?.[0] ?? ',';
}

function columnsOf(head: readonly string[]): Column[] {
  const columns = head.map((cell): Column => {
    const name = cell.trim().toLowerCase();
    const column = COLUMNS.find((each) => each === name);
    if (column === undefined) throw new Refusal(`The first line has “${cell.trim()}”. The columns are: ${EXPECTED}.`);
    return column;
  });
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) throw new Refusal(`The first line has ${twice} twice.`);
  if (!columns.includes('email')) throw new Refusal(`The first line must have email. The columns are: ${EXPECTED}.`);
  if (!columns.includes('password') && !columns.includes('password_hash'))
    throw new Refusal('The first line must have password or password_hash.');
  return columns;
}

function bodyOf(record: readonly string[], columns: readonly Column[], domain: string): NewMailboxLine['body'] {
  if (record.length !== columns.length)
    throw new Refusal(`It must have ${columns.length} cells, as the first line; it has ${record.length}.`);
  const cells: Cells = Object.fromEntries(columns.map((column, index) => [column, record[index] ?? '']));
  const [name, quota, reference] = [cells.name, cells.quota_mb, cells.external_ref].map((cell) => cell?.trim() ?? '');
  return {
    email: emailOf(cells.email ?? '', domain),
    ...secretOf(cells),
    ...(name === '' ? {} : { name: name ?? null }),
    ...(quota === '' ? {} : { quota_mb: quotaOf(quota ?? '') }),
    ...(reference === '' ? {} : { external_ref: reference ?? null }),
  };
}

function emailOf(cell: string, domain: string): string {
  const typed = addressIn(domain, cell);
  if (typed === '') throw new Refusal('email must not be empty.');
  const at = typed.lastIndexOf('@');
  const email = `${typed.slice(0, at)}@${storedName(typed.slice(at + 1))}`.toLowerCase();
  if (!email.endsWith(`@${domain.toLowerCase()}`)) throw new Refusal(`email must be an address of ${domain}.`);
  return email;
}

/** A password may begin or end with a blank. */
function secretOf({
  password = '',
  password_hash: hash = '',
}: Cells): { password: string } | { password_hash: string } {
  if (password !== '' && hash.trim() !== '') throw new Refusal('It must have password or password_hash, not both.');
  if (password !== '') return { password };
  if (hash.trim() === '') throw new Refusal('password must not be empty.');
  return { password_hash: hash.trim() };
}

function quotaOf(cell: string): number {
  if (!/^\d{1,15}$/.test(cell)) throw new Refusal('quota_mb must be a whole number of megabytes.');
  return Number(cell);
}
