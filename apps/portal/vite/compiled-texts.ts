import compile from 'icu-minify/compile';
import type { Plugin } from 'vite';

/** A file of texts in one language: `src/texts/de/dns.ts`. */
const TEXTS = /\/src\/texts\/[a-z]{2}\/[a-z-]+\.ts$/;

interface Node {
  type: string;
  start: number;
  end: number;
  value?: unknown;
}

/** Compiles the texts of the page, so that it needs no parser of them. A text that cannot be read fails the build. */
export function compiledTexts(): Plugin {
  return {
    name: 'compiled-texts',
    // The types are gone then.
    enforce: 'post',
    transform(code, id) {
      if (!TEXTS.test(id)) return null;
      let compiled = code;
      // From the end, so that the places before stay.
      for (const { start, end, value } of textsIn(this.parse(code)).toReversed())
        compiled = compiled.slice(0, start) + JSON.stringify(compile(value)) + compiled.slice(end);
      return { code: compiled, map: null };
    },
  };
}

/** The values of properties that are texts; not the paths of imports, nor keys. */
function textsIn(tree: unknown): { start: number; end: number; value: string }[] {
  if (Array.isArray(tree)) return tree.flatMap(textsIn);
  if (typeof tree !== 'object' || tree === null) return [];
  const node = tree as Node;
  if (node.type === 'Property' && typeof node.value === 'object') {
    const { type, start, end, value } = node.value as Node;
    if (type === 'Literal' && typeof value === 'string') return [{ start, end, value }];
  }
  return Object.values(node).flatMap(textsIn);
}
