/** A text, a name or a comment in which a question mark is no placeholder; placeholders; what does not end. */
const PART = /'[^']*'|"[^"]*"|`[^`]*`|\/\*[^]*?\*\/|--(?=\s)[^\n]*|#[^\n]*|\?+|['"`]|\/\*/g;

/** The characters that end a text, or mean something else in another `sql_mode` or character set. */
const AMBIGUOUS = /['\\\p{Cc}]/u;

/**
 * Puts values in place of the placeholders `?`. Every server reads the result alike, whatever its `sql_mode` is: an
 * ambiguous text travels as its bytes, and a statement has no backslash of its own. A list becomes `a, b`, a list of
 * lists `(a, b), (c, d)`.
 *
 * @throws TypeError for a value of another type than `Parameter`, and for an empty list
 * @throws Error when the values do not match the placeholders, or the text has no single meaning
 */
export function withValues(sql: string, values: unknown): string {
  if (sql.includes('\\')) throw new Error('The meaning of a backslash in a statement depends on sql_mode');
  const given: readonly unknown[] = Array.isArray(values) ? values : [];
  let used = 0;
  const text = sql.replace(PART, (part) => {
    if (part === '?') {
      used += 1;
      return used > given.length
        ? part
        : Array.isArray(given[used - 1])
          ? listOf(given[used - 1])
          : literal(given[used - 1]);
    }
    if (part.startsWith('?')) throw new Error('A statement has one placeholder for each value');
    if (part.length === 1 || part === '/*') throw new Error(`A statement has a ${part} that does not end`);
    return part;
  });
  if (used !== given.length) throw new Error(`A statement has ${used} placeholders and ${given.length} values`);
  return text;
}

function listOf(values: unknown): string {
  if (!Array.isArray(values) || values.length === 0) throw new TypeError('An empty list cannot be in a statement');
  return values.map((value) => (Array.isArray(value) ? `(${listOf(value)})` : literal(value))).join(', ');
}

function literal(value: unknown): string {
  if (typeof value === 'string') return AMBIGUOUS.test(value) ? textOfBytes(value) : `'${value}'`;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return String(value);
  if (Buffer.isBuffer(value)) return `x'${value.toString('hex')}'`;
  throw new TypeError(`A value of type ${value instanceof Date ? 'Date' : typeof value} cannot be in a statement`);
}

/** CONCAT gives the text the collation of the connection, as a quoted one has it, and not the server's for utf8mb4. */
function textOfBytes(value: string): string {
  return `CONCAT('', _utf8mb4 x'${Buffer.from(value).toString('hex')}')`;
}
