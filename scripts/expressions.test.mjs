/** @jest-environment node */
// @ts-check
// The environment of its own loads the modules anew, so that what they compose is seen.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expressionsOf, isLinear, PRODUCT, readVerdicts, VERDICTS, verdictsOf } from './expressions.mjs';
import { ROOT } from './processes.mjs';

/** @typedef {import('./expressions.mjs').Verdict} Verdict */

const WRITE = process.env.MAILSTEAD_WRITE_EXPRESSIONS === 'yes';
/** The fewest characters of a sentence. */
const SENTENCE = 20;

const sources = PRODUCT.map((path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, text, ...expressionsOf(text, path.endsWith('.tsx')) };
});
const composing = sources.filter(({ composed }) => composed > 0);
/** The ends of imports of these files. */
const imports = composing.map(({ path }) => `/${path.split('/').at(-1)?.replace(/ts$/, 'js')}'`);

describe('the regular expressions of the product', () => {
  /** @type {Set<string>} */
  const expressions = new Set(sources.flatMap(({ literals }) => literals));
  /** @type {Map<string, Set<string>>} The lines that composed one, of each file. */
  const places = new Map();
  /** @type {Record<string, Verdict>} */
  const verdicts = readVerdicts();

  beforeAll(async () => {
    const { RegExp: original } = globalThis;
    globalThis.RegExp = new Proxy(original, {
      construct(target, [pattern, flags]) {
        const made = new target(pattern, flags);
        const [place = ''] = new Error('where').stack?.split('\n').slice(2) ?? [];
        const file = composing.find(({ path }) => place.includes(path))?.path;
        if (file !== undefined) {
          expressions.add(`/${made.source}/${made.flags}`);
          places.set(file, (places.get(file) ?? new Set()).add(place.trim()));
        }
        return made;
      },
    });
    // Also those that call a function of a file that composes one.
    const loaded = sources.filter(({ text, composed }) => composed > 0 || imports.some((end) => text.includes(end)));
    for (const { path } of loaded) await import(join(ROOT, path));
    globalThis.RegExp = original;
    if (WRITE) await writeVerdicts();
  });

  /** Asks for the expressions that have no verdict. A sentence that is still to be written is empty. */
  async function writeVerdicts() {
    const added = await verdictsOf([...expressions].filter((expression) => !(expression in verdicts)));
    for (const [expression, verdict] of Object.entries(added)) {
      verdicts[expression] = isLinear(verdict) ? verdict : { verdict, safe: '' };
    }
    for (const known of Object.keys(verdicts)) if (!expressions.has(known)) delete verdicts[known];
    const ordered = Object.entries(verdicts).sort(([one], [other]) => (one < other ? -1 : 1));
    writeFileSync(VERDICTS, `${JSON.stringify(Object.fromEntries(ordered), null, 2)}\n`);
  }

  it('are written as literals, or composed when their module is loaded, so that all are known here', () => {
    expect(sources.length).toBeGreaterThan(900);
    const unseen = composing.filter(({ path, composed }) => (places.get(path)?.size ?? 0) < composed);
    expect(unseen.map(({ path }) => path)).toEqual([]);
  });

  it('have their verdicts in scripts/expressions.json, and no other has: npm run expressions writes them', async () => {
    const added = [...expressions].filter((expression) => !(expression in verdicts));
    expect(added.length === 0 ? {} : await verdictsOf(added)).toEqual({});
    expect(Object.keys(verdicts).filter((expression) => !expressions.has(expression))).toEqual([]);
  });

  it('take time that grows with the length of the text alone, or a sentence says what limits this length', () => {
    const unsafe = Object.entries(verdicts).filter(([, verdict]) => {
      return typeof verdict === 'string' ? !isLinear(verdict) : verdict.safe.length < SENTENCE;
    });
    expect(unsafe).toEqual([]);
  });

  it('are judged by how their time grows', async () => {
    const judged = {
      '/^(a|a)*$/': 'exponential',
      '/^a+$/': 'linear',
      '/a+$/': '2nd degree polynomial',
      '/^(?<!a)a+/': 'no attack found',
    };
    expect(await verdictsOf(Object.keys(judged))).toEqual(judged);
  });

  it.each([
    'f(/a/);',
    'f(b, /a/g);',
    'return /a/;',
    'const a = [/a/];',
    'const a = { a: /a/ };',
    'if (!/a/.test(b)) c();',
    'const a = b ? /a/ : c;',
    'const a = (b: string) => /a/.test(b);',
    'const a = b && /a/.test(b);',
    'const a = `${/a/}`;',
    '/a/.test(b);',
    'const a = / a/;',
  ])('are found wherever they may stand: %s', (text) => {
    expect(expressionsOf(`const f = () => {\n${text}\n};\n`).literals).toEqual([expect.stringMatching(/^\/ ?a\/g?$/)]);
  });

  it('are found in what a file says, with their flags, and composed ones are counted', () => {
    const text = "const A = /a\\/b/gi; export const f = (x: string) => x.replace(/[/]/, '') && new RegExp(`^${x}$`);";
    expect(expressionsOf(text)).toEqual({ literals: ['/a\\/b/gi', '/[/]/'], composed: 1 });
  });
});
