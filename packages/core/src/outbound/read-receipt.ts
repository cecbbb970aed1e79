/**
 * How many read receipts of a mailbox may leave the platform on a day. A stranger decides how many are asked for and
 * where they go, and their bounces count nowhere.
 */
export const READ_RECEIPTS_A_DAY = 50;

/** No program writes a longer field. */
const MAX_CHARACTERS = 2_048;
const SPACE = /[ \t\r\n]/;
/** RFC 2045 section 5.1: neither white space, controls nor tspecials. */
const TOKEN = /[!#$%&'*+\-.0-9A-Z^_`a-z{|}~]/;
/** Boundaries without quotes have some of the tspecials, although RFC 2045 forbids it. */
const UNQUOTED = /[!#$%&'*+\-./0-9:=?@A-Z^_`a-z{|}~]/;

/**
 * Whether the value of a Content-Type field, folded or not, is that of a read receipt: `multipart/report;
 * report-type=disposition-notification` (RFC 8098 section 3), with comments and quotes as in RFC 2045. A value that
 * breaks the grammar, or names the report type twice, is none.
 */
export function isReadReceipt(contentType: string): boolean {
  if (contentType.length > MAX_CHARACTERS) return false;
  const reader = new FieldReader(contentType);
  const type = reader.word(TOKEN);
  if (!reader.takes('/')) return false;
  const subtype = reader.word(TOKEN);
  if (type?.toLowerCase() !== 'multipart' || subtype?.toLowerCase() !== 'report') return false;
  const reports: string[] = [];
  while (!reader.isAtEnd) {
    if (!reader.takes(';')) return false;
    // A semicolon at the end, or two of them.
    if (reader.isAtEnd || reader.isAt(';')) continue;
    const name = reader.word(TOKEN)?.toLowerCase();
    if (name === undefined || !reader.takes('=')) return false;
    const value = reader.isAt('"') ? reader.quoted() : reader.word(UNQUOTED);
    if (value === null) return false;
    if (name.startsWith('report-type')) reports.push(`${name}=${value.toLowerCase()}`);
  }
  return reports.length === 1 && reports[0] === 'report-type=disposition-notification';
}

/** Reads a field from left to right, each character once. White space and comments are skipped before each part. */
class FieldReader {
  private at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    this.skip();
    return this.at >= this.text.length;
  }

  isAt(character: string): boolean {
    this.skip();
    return this.text[this.at] === character;
  }

  takes(character: string): boolean {
    const isThere = this.isAt(character);
    if (isThere) this.at += 1;
    return isThere;
  }

  /** @returns the longest text of these characters; null when it is empty */
  word(characters: RegExp): string | null {
    this.skip();
    const start = this.at;
    while (this.at < this.text.length && characters.test(this.character)) this.at += 1;
    return this.at === start ? null : this.text.slice(start, this.at);
  }

  /** @returns the text between quotes; null when the second one is missing */
  quoted(): string | null {
    const read: string[] = [];
    for (this.at += 1; this.at < this.text.length; this.at += 1) {
      if (this.character === '"') {
        this.at += 1;
        return read.join('');
      }
      if (this.character === '\\') this.at += 1;
      read.push(this.character);
    }
    return null;
  }

  private get character(): string {
    return this.text[this.at] ?? '';
  }

  private skip(): void {
    let depth = 0;
    for (; this.at < this.text.length; this.at += 1) {
      if (this.character === '(') depth += 1;
      else if (depth === 0 && !SPACE.test(this.character)) return;
      else if (this.character === ')') depth -= 1;
      else if (depth > 0 && this.character === '\\') this.at += 1;
    }
  }
}
