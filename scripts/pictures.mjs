// @ts-check
// `npm run pictures`: makes the pictures of the portal in docs/pictures anew, from a service with invented data.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { main } from './main.mjs';
import { prepare } from './prepare.mjs';
import { ROOT } from './processes.mjs';

const PROGRAM = 'apps/portal/src/testing/pictures/make-pictures.ts';
/** As deep in the checkout as `Child`, which starts the built programs by their paths from its own. */
const BUNDLE = join(ROOT, 'apps/portal/dist/pictures/make-pictures.mjs');
const PICTURES = join(ROOT, 'docs/pictures');

await main(async () => {
  await prepare({ portal: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: [PROGRAM],
    outfile: BUNDLE,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    // The workspace packages as their sources, because what only tests use is not in `dist`.
    conditions: ['mailstead-source'],
    external: ['playwright-core', 'dns-packet'],
  });
  await mkdir(PICTURES, { recursive: true });
  const { makePictures } = await import(pathToFileURL(BUNDLE).href);
  for (const [name, size] of await makePictures(ROOT, PICTURES)) {
    console.log(`docs/pictures/${name}.png: ${Math.ceil(size / 1_000)} kB`);
  }
  return 0;
});
