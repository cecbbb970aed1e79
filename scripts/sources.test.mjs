// @ts-check
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedSince, treeOfSources } from './sources.mjs';

describe('the sources of a checkout', () => {
  /** Has the repository of which each test gets a copy. */
  let folder = '';
  let root = '';
  let copies = 0;
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], { cwd: root, stdio: 'pipe' });
  const write = (/** @type {string} */ path, /** @type {string} */ text) => writeFile(join(root, path), text);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-sources-'));
    root = join(folder, 'first');
    await mkdir(root);
    git('init', '--quiet', '--template=');
    await mkdir(join(root, 'docs'));
    await write('.gitignore', 'dist/\n');
    await write('a.ts', '1');
    await write('b.ts', '2');
    await write('README.md', 'words');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'first');
  });
  beforeEach(async () => {
    copies += 1;
    root = join(folder, `copy-${copies}`);
    await cp(join(folder, 'first'), root, { recursive: true, preserveTimestamps: true });
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('are others after a change, a new file and a removed file, committed or not', async () => {
    const trees = [treeOfSources(root)];
    await write('a.ts', '3');
    trees.push(treeOfSources(root));
    await write('c.ts', '4');
    trees.push(treeOfSources(root));
    await rm(join(root, 'b.ts'));
    trees.push(treeOfSources(root));
    expect(new Set(trees).size).toBe(4);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'second');
    expect(treeOfSources(root)).toBe(trees[3]);
  });

  it('are others after a change in the second in which git wrote its index', async () => {
    const second = new Date('2026-11-01T12:00:00Z');
    git('config', 'core.trustctime', 'false');
    await utimes(join(root, 'a.ts'), second, second);
    git('add', '--all');
    const before = treeOfSources(root);
    await write('a.ts', '3');
    for (const path of ['a.ts', '.git/index']) await utimes(join(root, path), second, second);
    expect(treeOfSources(root)).not.toBe(before);
  });

  it('are the same after a change of documents and of what git ignores', async () => {
    const tree = treeOfSources(root);
    await write('README.md', 'other words');
    await write('docs/x.png', 'picture');
    await mkdir(join(root, 'dist'));
    await write('dist/a.js', '1');
    expect(treeOfSources(root)).toBe(tree);
  });

  it('are compared without a change of the index', async () => {
    await write('c.ts', '4');
    treeOfSources(root);
    expect(String(git('status', '--porcelain'))).toBe('?? c.ts\n');
  });

  it('are unknown without git', async () => {
    await rm(join(root, '.git'), { recursive: true });
    expect(treeOfSources(root)).toBeUndefined();
  });

  it('name what changed since a commit, with what is not committed', async () => {
    await write('b.ts', '3');
    git('commit', '--all', '--quiet', '--message', 'second');
    await write('a.ts', '3');
    await write('ü c.ts', '4');
    await rm(join(root, 'README.md'));
    expect(changedSince('HEAD~1', root)).toEqual(['README.md', 'a.ts', 'b.ts', 'ü c.ts']);
    expect(changedSince('HEAD', root)).toEqual(['README.md', 'a.ts', 'ü c.ts']);
  });

  it.each([['nonsense'], ['--output=/tmp/x'], ['']])('are not compared with what is no commit: %j', (commit) => {
    expect(() => changedSince(commit, root)).toThrow('git knows no such commit');
  });
});
