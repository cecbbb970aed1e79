// @ts-check
// Which files a file depends on, for `npm test -- --changed`: jest runs the tests that reach a changed file.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The files that know every part of a process. A test that reaches a file only through them says little about it. */
const WIRING = /\/(?:adapters\/src\/(?:bindings|ports|options)|container|controllers|job-table|schedule-table)\.ts$/;

const HTTP_TEST = /\/apps\/api\/src\/.*\.test\.ts$/;
const CONTROLLER = /-controller\.ts$/;

/** Part of the name of jest's cache of dependencies. To be raised with every change of this file. */
export const getCacheKey = () => '3';

/**
 * @param {string} code
 * @param {string} path
 * @param {(code: string, path: string) => Iterable<string>} extractImports
 * @returns {Set<string>} The names that the file imports. The wiring has none, and the HTTP tests of a folder also have
 *   the controllers of that folder, which they reach by requests.
 */
export function extract(code, path, extractImports) {
  if (WIRING.test(path)) return new Set();
  const imports = new Set([...extractImports(code, path)].map(sourceOf));
  if (!HTTP_TEST.test(path)) return imports;
  const controllers = readdirSync(dirname(path)).filter((file) => CONTROLLER.test(file));
  return new Set([...imports, ...controllers.map((file) => `./${file.replace(/\.ts$/, '.js')}`)]);
}

/**
 * Returns the source file of a module of the workspace. Here jest resolves names without the condition
 * `mailstead-source`.
 * @param {string} name
 */
function sourceOf(name) {
  const [, folder = '', file = ''] = /^@mailstead\/([^/]+)\/(.+)$/.exec(name) ?? [];
  const places = ['packages', 'apps'].map((parent) => join(ROOT, parent, folder, 'src', `${file}.ts`));
  return (file !== '' && places.find((place) => existsSync(place))) || name;
}
