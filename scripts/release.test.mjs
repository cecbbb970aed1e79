// @ts-check
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from './test-timeout.mjs';

const SCRIPTS = ['release.mjs', 'release-checks.mjs', 'main.mjs', 'processes.mjs', 'guard.mjs'];
const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n## [5.2.0] - 2026-11-23\n\n### Added\n\n- A thing.\n';
const WHOLE = [
  'migrations.json',
  'mysql.sql',
  'openapi.json.gz',
  'release.json',
  'sqlite.sql',
  'statements-mariadb.json',
  'statements-sqlite.json',
];

/** In place of the tests: writes the statements as `HOW` says. */
const TESTS = `
import { existsSync, writeFileSync } from 'node:fs';
const { MAILSTEAD_RECORD_RELEASE: folder, HOW = '' } = process.env;
if (folder === undefined) process.exit(HOW === 'broken' ? 1 : 0);
for (const name of ['migrations', 'statements-sqlite']) writeFileSync(folder + '/' + name + '.json', '[]');
if (HOW === 'fails') process.exit(1);
if (HOW !== 'half') writeFileSync(folder + '/statements-mariadb.json', '[]');
if (HOW === 'waits') {
  writeFileSync('dist/waits', '');
  while (!existsSync('dist/go')) await new Promise((resolve) => setTimeout(resolve, 10));
}
`;

/** @param {() => boolean} holds */
async function until(holds) {
  const deadline = Date.now() + PATIENCE_MS;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('Not in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('npm run release', () => {
  /** Has the checkout of which each test gets a copy. */
  let folder = '';
  let root = '';
  let copies = 0;
  /** @type {import('node:child_process').ChildProcess[]} */
  let started = [];
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
  const write = (/** @type {string} */ path, /** @type {string} */ text) => writeFile(join(root, path), text);
  const recorded = () => readdirSync(join(root, 'releases')).filter((name) => name !== '5.1.0');
  const unfinished = () => readdirSync(join(root, '.npm-test'));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mailstead-release-'));
    root = join(folder, 'first');
    mkdirSync(root);
    git('init', '--quiet', '--template=');
    for (const folder of ['scripts', 'releases/5.1.0', 'packages/adapters/schema', 'packages/client/generated', 'dist'])
      mkdirSync(join(root, folder), { recursive: true });
    for (const name of SCRIPTS)
      copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(root, 'scripts', name));
    await write('scripts/test.mjs', TESTS);
    await write('package.json', '{ "version": "5.2.0", "type": "module", "scripts": {} }');
    await write('CHANGELOG.md', CHANGELOG);
    await write('.gitignore', 'dist/\n.npm-test/\n');
    await write('releases/5.1.0/release.json', '{}');
    for (const name of ['mysql.sql', 'sqlite.sql']) await write(`packages/adapters/schema/${name}`, name);
    await write('packages/client/generated/openapi.json', '{}');
    // Neither docker nor podman.
    mkdirSync(join(root, 'dist/bin'));
    symlinkSync(programOf('git'), join(root, 'dist/bin/git'));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'first');
  });
  beforeEach(() => {
    copies += 1;
    root = join(folder, `copy-${copies}`);
    cpSync(join(folder, 'first'), root, { recursive: true, verbatimSymlinks: true });
  });
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function start(how = '', /** @type {string[]} */ args = []) {
    const child = spawn(process.execPath, [join(root, 'scripts/release.mjs'), ...args], {
      env: { PATH: join(root, 'dist/bin'), HOW: how },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const end = once(child, 'close').then(([code]) => ({ code, output }));
    return { child, end };
  }
  const release = (how = '', /** @type {string[]} */ args = []) => start(how, args).end;

  it('records the whole release of the commit, and leaves nothing else', async () => {
    expect(await release()).toMatchObject({ code: 0 });
    expect(readdirSync(join(root, 'releases/5.2.0')).sort()).toEqual(WHOLE);
    expect(JSON.parse(readFileSync(join(root, 'releases/5.2.0/release.json'), 'utf8'))).toEqual({
      version: '5.2.0',
      commit: git('rev-parse', 'HEAD'),
    });
    expect(git('status', '--porcelain')).toBe('?? releases/5.2.0/');
    expect(statSync(join(root, 'releases/5.2.0')).mode).toBe(statSync(join(root, 'releases/5.1.0')).mode);
    await until(() => unfinished().length === 0);
  });

  it('leaves nothing when the recording fails, is half or is broken, and can be run again', async () => {
    for (const [how, words] of [
      ['fails', 'nothing was released'],
      ['half', 'statements-mariadb.json were not written'],
      ['broken', 'nothing was released'],
    ]) {
      const { code, output } = await release(how);
      expect([how, code, output]).toEqual([how, 1, expect.stringContaining(words ?? '')]);
      expect([how, recorded(), git('status', '--porcelain')]).toEqual([how, [], '']);
    }
    expect(await release()).toMatchObject({ code: 0 });
  });

  it('leaves nothing after SIGKILL and SIGINT, and can be run again', async () => {
    for (const signal of /** @type {const} */ (['SIGKILL', 'SIGINT'])) {
      const { child, end } = start('waits');
      await until(() => existsSync(join(root, 'dist/waits')));
      child.kill(signal);
      await write('dist/go', '');
      await end;
      expect([signal, recorded(), git('status', '--porcelain')]).toEqual([signal, [], '']);
      await until(() => unfinished().length === 0);
      for (const name of ['waits', 'go']) await rm(join(root, 'dist', name));
    }
    expect(await release()).toMatchObject({ code: 0 });
  });

  it('records once when it runs twice at the same time', async () => {
    const slow = start('waits');
    await until(() => existsSync(join(root, 'dist/waits')));
    expect(await release()).toMatchObject({ code: 0 });
    const commit = readFileSync(join(root, 'releases/5.2.0/release.json'), 'utf8');
    await write('dist/go', '');
    const { code, output } = await slow.end;
    expect([code, output]).toEqual([1, expect.stringContaining('nothing was released')]);
    expect(readdirSync(join(root, 'releases/5.2.0')).sort()).toEqual(WHOLE);
    expect(readFileSync(join(root, 'releases/5.2.0/release.json'), 'utf8')).toBe(commit);
  });

  it('releases nothing when something is committed meanwhile', async () => {
    const { end } = start('waits');
    await until(() => existsSync(join(root, 'dist/waits')));
    git('commit', '--quiet', '--allow-empty', '--message', 'second');
    await write('dist/go', '');
    const { code, output } = await end;
    expect([code, output, recorded()]).toEqual([1, expect.stringContaining('has changed meanwhile'), []]);
  });

  it('refuses what is not ready by name, and only checks with --check', async () => {
    expect(await release('', ['--check'])).toMatchObject({ code: 0 });
    expect(recorded()).toEqual([]);
    await write('package.json', '{ "version": "5.1.0", "scripts": {} }');
    const { code, output } = await release();
    expect(code).toBe(1);
    expect(output).toContain('The version 5.1.0 is not above the recorded release 5.1.0');
    expect(output).toContain('The newest section of CHANGELOG.md is "[5.2.0] - 2026-11-23", not [5.1.0]');
    expect(output).toContain('There are changes that are not committed');
  });
});

/** @param {string} name */
function programOf(name) {
  const folder = (process.env.PATH ?? '').split(delimiter).find((each) => existsSync(join(each, name)));
  return join(folder ?? dirname(process.execPath), name);
}
