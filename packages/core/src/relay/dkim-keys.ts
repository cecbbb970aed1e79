/** RFC 6376 section 3.2; names are case-sensitive. */
const TAG_NAME = /^[A-Za-z]\w*$/;
const HAS_KEY = /(?:^|;)\s*p\s*=/;

/**
 * The keys of the DKIM records among the TXT records of a name, each the value of its tag `p` without white space,
 * which has no meaning there (RFC 6376 sections 3.2 and 3.6.1). An empty key is a revoked one.
 */
export function dkimKeys(values: readonly string[]): string[] {
  return values.map(keyOf).filter((key) => key !== null);
}

/**
 * @returns null for what receivers do not read as a DKIM record: without `p`, with a tag twice (section 3.2), or with
 * another version than DKIM1, which must stand first (section 3.6.1)
 */
function keyOf(value: string): string | null {
  if (!HAS_KEY.test(value)) return null;
  const tags = new Map<string, string>();
  for (const [index, part] of value.split(';').entries()) {
    const [name = '', ...rest] = part.split('=');
    const tag = name.trim();
    if (tag === '' && rest.length === 0) continue;
    if (!TAG_NAME.test(tag) || tags.has(tag)) return null;
    if (tag === 'v' && index > 0) return null;
    tags.set(tag, rest.join('=').replaceAll(/\s/g, ''));
  }
  const version = tags.get('v');
  return version === undefined || version === 'DKIM1' ? (tags.get('p') ?? null) : null;
}
