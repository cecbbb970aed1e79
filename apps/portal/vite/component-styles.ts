import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const STYLES = new URL('../src/mantine.css', import.meta.url);
const IMPORTED = /@import '@mantine\/core\/styles\/(\w+)\.css'/g;
/** The names of the classes of a component. */
const CLASSES = /@mantine\/core\/.*\/(\w+)\.module\.mjs$/;

/**
 * Fails the build when a component of Mantine is used whose style sheet `mantine.css` leaves out. That file has the
 * sheets of the components that the page uses, because all of them are 20 kB (gzip) more.
 */
export function componentStyles(): Plugin {
  return {
    name: 'component-styles',
    apply: 'build',
    async generateBundle(_, bundle) {
      const imported = new Set(Array.from((await readFile(STYLES, 'utf8')).matchAll(IMPORTED), ([, name]) => name));
      const used = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? Object.keys(file.modules).flatMap((id) => CLASSES.exec(id)?.[1] ?? []) : [],
      );
      const missing = [...new Set(used)].filter((name) => !imported.has(name)).toSorted();
      if (missing.length > 0) this.error(`src/mantine.css does not import the styles of: ${missing.join(', ')}`);
    },
  };
}
