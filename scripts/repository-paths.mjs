// @ts-check
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';

/** The folders of the repository. */
export const FOLDERS = ['.ci', 'apps', 'docs', 'integrations', 'packages', 'scripts', 'systemd', 'tools'];

/** Every file of the repository, without what is installed or built. */
export const FILES = [
  ...readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name),
  ...FOLDERS.flatMap(below),
];

/** Every file and folder, without `src/`. */
const PLACES = [
  ...new Set(
    FILES.flatMap((file) => [file, ...file.split('/').map((_, depth, names) => `${names.slice(0, depth).join('/')}/`)]),
  ),
].map((path) => `/${withoutSource(path)}`);

/**
 * Whether a file or folder exists. Its path may leave out its first folders and `src/`. `<noun>` and `*` stand for any
 * name, `{a,b}` for either.
 * @param {string} path
 */
export function pathExists(path) {
  const pattern = withoutSource(path)
    .replaceAll('.', '\\.')
    .replace(/<[a-z]+>|\*/g, '[^/]+')
    .replace(/\{([^}]+)\}/g, (_, names) => `(${names.replaceAll(',', '|')})`);
  const whole = new RegExp(`/${pattern}/?$`);
  return PLACES.some((place) => whole.test(place));
}

/** @param {string} path */
function withoutSource(path) {
  return path.replace(/(^|\/)src(\/|$)/, '$1');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function below(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return ['node_modules', 'dist'].includes(entry.name) ? [] : below(path);
  });
}
