import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('..', import.meta.url));

/**
 * A decorator is in the line of its field or ends in the line before, with `)`. A field without one is refused in a
 * request and is not in the OpenAPI document.
 *
 * @returns the fields of the classes in a file that have no decorator
 */
function undecorated(text: string): string[] {
  const classes = [...text.matchAll(/^export class \w+.*? \{\n(.*?)^\}/gms)].map(([, body = '']) => body);
  return classes.flatMap((body) =>
    [...`\n${body}`.matchAll(/(?<!\))\n {2}(?:readonly )?(\w+)[!?]: /g)].map(([, name = '']) => name),
  );
}

describe('the DTOs', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('-dto.ts'));

  it('have a decorator on every field', () => {
    expect(files.length).toBeGreaterThan(20);
    const found = files.flatMap((file) =>
      undecorated(readFileSync(SOURCE + file, 'utf8')).map((name) => `${file} ${name}`),
    );
    expect(found).toEqual([]);
  });

  it('with a field without a decorator are found', () => {
    const text =
      'export class NoteBody {\n  @Text({ max: 9 })\n  a!: string;\n  @Text({ max: 9 }) b?: string;\n  c?: string;\n}\n';
    expect(undecorated(text)).toEqual(['c']);
  });
});
