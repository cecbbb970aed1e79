import { defaultPathSerializer } from 'openapi-fetch';

/** What URL parsers remove from a path (RFC 3986 section 5.2.4), and what leaves no segment. */
const NO_NAMES: ReadonlySet<unknown> = new Set(['', '.', '..', undefined, null]);

/**
 * Writes the names into a path, percent-encoded.
 *
 * @throws TypeError for a name that would lead to another route: `/partners/../usage` is `/usage`
 */
export function pathWithNames(path: string, names: Record<string, unknown>): string {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    const value: unknown = names[name];
    if (NO_NAMES.has(value)) {
      throw new TypeError(
        `${name} must not be ${JSON.stringify(value) ?? 'missing'}: the path ${path} would be another`,
      );
    }
  }
  return defaultPathSerializer(path, names);
}
