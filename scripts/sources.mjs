// @ts-check
// What git says about the sources of the checkout.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Stop } from './main.mjs';
import { ROOT } from './processes.mjs';

const DOCUMENTS = ['docs', '*.md'];

/** @param {string} path In the repository. */
export function isDocument(path) {
  return path.startsWith('docs/') || path.endsWith('.md');
}

/**
 * Whether a test reads a document.
 * @param {string} path Absolute.
 */
export function readsDocuments(path) {
  return /\bdocs\/|\.md\b/.test(readFileSync(path, 'utf8'));
}

/**
 * Returns the id of git's tree of all sources without the documents, with the changes and files that are not committed.
 * Undefined when this is no checkout of git.
 */
export function treeOfSources(root = ROOT) {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-tree-'));
  const index = join(folder, 'index');
  try {
    const given = resolve(root, git(root, ['rev-parse', '--git-path', 'index']));
    // Git reads a file again that may have changed in the second in which the index was written.
    const { atime, mtime } = statSync(given);
    copyFileSync(given, index);
    utimesSync(index, atime, mtime);
    git(root, ['add', '--all'], index);
    git(root, ['rm', '-r', '--quiet', '--cached', '--ignore-unmatch', '--', ...DOCUMENTS], index);
    return git(root, ['write-tree'], index);
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns the paths of all files that differ from a commit, with those that are not committed.
 * @param {string} commit
 */
export function changedSince(commit, root = ROOT) {
  try {
    git(root, ['rev-parse', '--quiet', '--verify', '--end-of-options', `${commit}^{commit}`]);
  } catch {
    throw new Stop(`--since ${commit}: git knows no such commit. Give the name of a commit, a branch or a tag`);
  }
  const changed = git(root, ['diff', '--name-only', '--no-renames', '-z', commit]);
  const added = git(root, ['ls-files', '--others', '--exclude-standard', '-z']);
  return `${changed}\0${added}`.split('\0').filter((path) => path !== '');
}

/**
 * Returns the commit since which changes count: where this branch left origin/main, or HEAD when there is no such
 * branch.
 */
export function baseOfChanges() {
  try {
    return git(ROOT, ['merge-base', 'origin/main', 'HEAD']);
  } catch {
    return 'HEAD';
  }
}

/**
 * @param {string} cwd
 * @param {readonly string[]} args
 * @param {string} [index] Replaces the index of the checkout.
 */
function git(cwd, args, index) {
  const env = index === undefined ? process.env : { ...process.env, GIT_INDEX_FILE: index };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 }).trim();
}
