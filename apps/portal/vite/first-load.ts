import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/**
 * Fails the build when the scripts and styles of the first load are too large: the entry, everything that it imports
 * statically, and the screen that most people see first.
 */
export function firstLoadWithin(limitBytes: number): Plugin {
  return {
    name: 'first-load-within',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const first = chunks.filter(
        ({ isEntry, facadeModuleId }) => isEntry || facadeModuleId?.endsWith('/routes/home/home-page.tsx') === true,
      );
      const loaded = new Set(first.flatMap((chunk) => [...withImports(chunk, byName)]));
      const styles = new Set([...loaded].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
      const sources = [
        ...[...loaded].map(({ code }) => code),
        ...[...styles].map((name) => (bundle[name] as Rolldown.OutputAsset).source),
      ];
      const bytes = sources.reduce((sum, source) => sum + gzipSync(source, { level: 9 }).length, 0);
      const sentence = `The first load has ${(bytes / 1_000).toFixed(1)} kB of scripts and styles (gzip; limit ${limitBytes / 1_000} kB)`;
      if (bytes > limitBytes) this.error(sentence);
      this.info(sentence);
    },
  };
}

function* withImports(
  chunk: Rolldown.OutputChunk,
  byName: ReadonlyMap<string, Rolldown.OutputChunk>,
  seen = new Set<string>(),
): Generator<Rolldown.OutputChunk> {
  if (seen.has(chunk.fileName)) return;
  seen.add(chunk.fileName);
  yield chunk;
  for (const name of chunk.imports) {
    const imported = byName.get(name);
    if (imported !== undefined) yield* withImports(imported, byName, seen);
  }
}
