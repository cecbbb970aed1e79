/** Reads the fields of one CSV record (RFC 4180). */
export function parseCsvRecord(record: string): string[] {
  const fields: string[] = [];
  let rest = record;
  for (;;) {
    const [, quoted, plain = ''] = /^(?:"((?:[^"]|"")*)"|([^,]*))/.exec(rest) ?? [];
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    rest = rest.slice(quoted === undefined ? plain.length : quoted.length + 2);
    if (!rest.startsWith(',')) return fields;
    rest = rest.slice(1);
  }
}

/** Writes fields as one CSV record, without a line end. */
export function toCsvRecord(fields: readonly string[]): string {
  return fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');
}
