import { unquoted } from './dns-check.js';

/** A field of a record is shown up to this length; its owner decides how long it is. */
const MAX_SHOWN = 60;
/** `sts-extension` and `tlsrpt-extension`, which have one form (RFC 8461 section 3.1, RFC 8460 section 3). */
const FIELD = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}=[\x21-\x3a\x3c\x3e-\x7e]+$/;

/**
 * Splits at a separator around which blanks (WSP of RFC 5234) have no meaning. Blanks at both ends of the text are
 * kept.
 */
export function splitAt(text: string, separator: ';' | ','): string[] {
  const parts = text.split(separator);
  return parts.map((part, index) => {
    const begun = index === 0 ? part : part.replace(/^[ \t]+/, '');
    return index === parts.length - 1 ? begun : begun.replace(/(?<![ \t])[ \t]+$/, '');
  });
}

/**
 * The fields of a record of MTA-STS or TLS-RPT after its version (RFC 8461 section 3.1, RFC 8460 section 3).
 *
 * @param version such as `v=STSv1`, which the record must begin with literally
 * @returns null for another version. One semicolon at the end begins no field.
 */
export function fieldsOf(record: string, version: string): string[] | null {
  if (!record.startsWith(version)) return null;
  const [first, ...fields] = splitAt(record, ';');
  if (first !== version) return null;
  return fields.at(-1) === '' ? fields.slice(0, -1) : fields;
}

/** Whether a field is a name, `=` and a value, without blanks, as every field that the RFC does not name must be. */
export function isField(field: string): boolean {
  return FIELD.test(field);
}

/** What stands before the first semicolon of a record, in the place of the version. */
export function beginningOf(record: string): string {
  return shortened(unquoted(unquoted(record).split(';', 1)[0] ?? ''));
}

/** A part of a record for a sentence. */
export function shortened(part: string): string {
  return part.length <= MAX_SHOWN ? part : `${part.slice(0, MAX_SHOWN)}…`;
}
