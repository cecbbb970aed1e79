// @ts-check
// `npm run pictures`: makes the pictures of the portal in docs/pictures anew, from a service with invented data.
// `-- --screens <folder>` saves twelve screens in both looks and two widths, to compare two versions of the page.
// `-- --sheets <folder> --before <folder> --after <folder>` puts two such folders side by side, a sheet a screen.
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { main, Stop } from './main.mjs';
import { prepare } from './prepare.mjs';
import { ROOT } from './processes.mjs';

const PROGRAMS = ['make-pictures', 'screens', 'sheets'];
const SOURCES = join(ROOT, 'apps/portal/src/testing/pictures');
/** As deep in the checkout as `Child`, which starts the built programs by their paths from its own. */
const BUNDLES = join(ROOT, 'apps/portal/dist/pictures');
const PICTURES = join(ROOT, 'docs/pictures');
/** @param {number} size bytes */
const kilobytes = (size) => `${Math.ceil(size / 1_000)} kB`;

await main(async () => {
  const folder = { type: /** @type {const} */ ('string') };
  const { values } = parseArgs({ options: { screens: folder, sheets: folder, before: folder, after: folder } });
  await prepare({ portal: true });
  await bundle();
  if (values.screens !== undefined) {
    const target = await made(values.screens);
    const { makeScreens } = await program('screens');
    console.log(`${values.screens}: ${await makeScreens(ROOT, target)} pictures`);
    return 0;
  }
  if (values.sheets !== undefined) {
    if (values.before === undefined || values.after === undefined)
      throw new Stop('--sheets needs --before and --after.');
    const target = await made(values.sheets);
    const { makeSheets } = await program('sheets');
    for (const [name, size] of await makeSheets(resolve(values.before), resolve(values.after), target)) {
      console.log(`${values.sheets}/${name}.jpg: ${kilobytes(size)}`);
    }
    return 0;
  }
  const { makePictures } = await program('make-pictures');
  for (const [name, size] of await makePictures(ROOT, await made(PICTURES))) {
    console.log(`docs/pictures/${name}.png: ${kilobytes(size)}`);
  }
  return 0;
});

/** @param {string} folder */
async function made(folder) {
  await mkdir(folder, { recursive: true });
  return resolve(folder);
}

/** @param {string} name */
function program(name) {
  return import(pathToFileURL(join(BUNDLES, `${name}.mjs`)).href);
}

async function bundle() {
  await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS.map((name) => join(SOURCES, `${name}.ts`)),
    outdir: BUNDLES,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    // The workspace packages as their sources, because what only tests use is not in `dist`.
    conditions: ['mailstead-source'],
    external: ['playwright-core', 'dns-packet', 'axe-core'],
  });
}
