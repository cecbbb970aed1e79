import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * The files with statements that write `domain`, `verification` or `partner`, and what the rows of `mta_domain` need. A
 * new file, or a new statement in one of these, must note its change (`mta-domain-changes.ts`).
 */
const WRITERS: Record<string, [statements: number, why: string]> = {
  'alignment-statements.ts': [3, 'configuration sets are in no row'],
  'domain-repository.ts': [2, 'notes the saved domain'],
  'domain-statements.ts': [2, 'the repository notes the new domain; counts are in no row'],
  'domain-waiting-statements.ts': [1, 'the repository notes the children'],
  'partner-repository.ts': [2, 'a new partner has no domains'],
  'partner-statements.ts': [1, 'notes the saved partner'],
  'verification-repository.ts': [
    2,
    'notes the saved verification; a new one belongs to a domain that is added or restored',
  ],
  'verification-statements.ts': [
    4,
    'times of checks, and `unverified` to `pending`, which both do not count as verified',
  ],
  'tombstones/restore-statements.ts': [1, 'notes the restored domain'],
  'tombstones/tombstone-repository.ts': [2, 'the row is deleted with its domain'],
  'tombstones/tombstone-statements.ts': [1, 'counts are in no row'],
  'usage/usage-statements.ts': [1, 'usage is in no row'],
};

const WRITE =
  /(UPDATE|INTO|DELETE FROM) (domain|verification|partner)\b|\.(update|insert|delete|into)\((Domain|Verification|Partner)\b|\.(insert|save)\((domain|verification|partner)\)|copyBack\(database, 'domain'/g;

describe('the statements that write what the rows of `mta_domain` are computed from', () => {
  it('are exactly those of the list, apart from migrations', () => {
    const found = Object.fromEntries(
      files()
        .map((file) => [file, [...readFileSync(join(ROOT, file), 'utf8').matchAll(WRITE)].length] as const)
        .filter(([, count]) => count > 0),
    );
    const listed = Object.entries(WRITERS).map(([file, [count]]) => [file, count]);
    expect(found).toEqual(Object.fromEntries(listed));
  });
});

function files(): string[] {
  return readdirSync(ROOT, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !/^(migrations|testing)\//.test(file));
}
