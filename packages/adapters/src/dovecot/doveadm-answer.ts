export interface DoveadmRequest {
  command: 'fetch' | 'expunge' | 'quotaGet' | 'who' | 'kick';
  parameters: Record<string, unknown>;
}

const HTTP_OK = 200;
const HTTP_UNAUTHORIZED = 401;
/** Characters kept from the start of a response. `[["error",{…},"tag"]]` fits. */
const HEAD_LENGTH = 512;
/** Characters of a row that are kept until its end arrives. A row has the name of a mailbox and a size. */
const MAX_ROW_LENGTH = 65_536;
const UNREADABLE = 'its answer cannot be read';
/** Explanations of doveadm's exit codes (sysexits.h). */
const EXIT_CODES: Record<number, string> = {
  64: 'it did not understand the command',
  67: 'it knows no such user',
  75: 'a temporary failure, for example of its database',
  77: 'it lacks the permission',
};

/**
 * Reads the response to one command, `[["doveadmResponse",[{…},…],"tag"]]` or `[["error",{…},"tag"]]`. The body is
 * streamed, because a purge of a large domain returns one row for each message, and `who` one for each session.
 *
 * @param field the expression of a field of a row, with its value as first group
 * @param onValue is called with the value in each row
 * @returns the reason of a failure, as the end of a sentence; null for success
 */
export async function readDoveadmAnswer(
  status: number,
  body: AsyncIterable<Uint8Array>,
  field: RegExp,
  onValue: (value: string) => void,
): Promise<string | null> {
  let head = '';
  let pending = '';
  let isReadable = true;
  for await (const chunk of body) {
    const text = Buffer.from(chunk).toString('latin1');
    if (head.length < HEAD_LENGTH) head += text.slice(0, HEAD_LENGTH);
    pending += text;
    // A chunk may end in the middle of a row. All rows before the last closing brace are complete.
    const end = pending.lastIndexOf('}') + 1;
    for (const [, value = ''] of pending.slice(0, end).matchAll(field)) onValue(value);
    pending = pending.slice(end);
    isReadable = pending.length <= MAX_ROW_LENGTH;
    if (!isReadable) break;
  }
  if (status === HTTP_UNAUTHORIZED) return 'it refused DOVEADM_API_KEY';
  if (status !== HTTP_OK) return `it answered ${status}`;
  if (!isReadable) return UNREADABLE;
  if (head.startsWith('[["doveadmResponse",')) return pending.trimEnd().endsWith(']]') ? null : 'its answer was cut';
  return failureOf(head);
}

function failureOf(head: string): string {
  const exitCode = Number(/"exitCode":\s*(\d+)/.exec(head)?.[1]);
  if (!Number.isNaN(exitCode)) return EXIT_CODES[exitCode] ?? `its exit code was ${exitCode}`;
  const type = /"type":\s*"(\w+)"/.exec(head)?.[1];
  return type === undefined ? UNREADABLE : `it answered ${type}`;
}
