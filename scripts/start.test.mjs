// @ts-check
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';
import { readStartOptions } from './start-options.mjs';
import { PATIENCE_MS } from './test-timeout.mjs';

/** Somebody without rights, when the tests run as root, who may write everywhere. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

describe('npm start', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-start-'));
    await Promise.all(['apps', 'packages'].map((name) => mkdir(join(folder, name))));
    await cp(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    for (const name of ['package.json', 'package-lock.json']) await cp(join(ROOT, name), join(folder, name));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /**
   * @param {string[]} args
   * @param {import('node:child_process').SpawnSyncOptions} [options]
   */
  function start(args, options = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env.PATH },
      timeout: PATIENCE_MS,
      ...options,
    });
    return { status, stdout: String(stdout), stderr: String(stderr) };
  }

  const names = async () => (await readdir(folder)).sort();
  const UNTOUCHED = ['apps', 'package-lock.json', 'package.json', 'packages', 'scripts'];

  it.each(['0.10.48', '12.22.12', '18.20.8', '20.18.3'])(
    'on Node %s says in one sentence what it needs, and loads nothing',
    async (version) => {
      const asIf = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });
        process.argv.push('start'); require('./scripts/run.cjs')`;
      expect(start(['-e', asIf])).toEqual({
        status: 1,
        stdout: '',
        stderr: `Mailstead needs Node 20.19 or later, and this is Node ${version}: install Node 24 from https://nodejs.org and run the command again.\n`,
      });
      expect(await names()).toEqual(UNTOUCHED);
    },
  );

  it('prints its options for --help, and touches nothing', async () => {
    const { status, stdout, stderr } = start(['scripts/run.cjs', 'start', '--help']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('--port <number>');
    expect(await names()).toEqual(UNTOUCHED);
  });

  it('refuses another option with one sentence, and touches nothing', async () => {
    expect(start(['scripts/run.cjs', 'start', '--prot', '8081'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'npm start does not know "--prot": it takes --port <number> and --help.\n',
    });
    expect(await names()).toEqual(UNTOUCHED);
  });

  it('says in one sentence that its folder cannot be written, and touches nothing', async () => {
    await chmod(folder, 0o555);
    expect(start(['scripts/run.cjs', 'start'], NOBODY)).toEqual({
      status: 1,
      stdout: '',
      stderr: `Mailstead installs packages and builds in its folder, but this user cannot write to ${folder}.\n`,
    });
    expect(await names()).toEqual(UNTOUCHED);
    await chmod(folder, 0o755);
  });

  it('says the same of a folder below it that somebody else made', async () => {
    const dist = join(folder, 'packages/core/dist');
    await mkdir(dist, { recursive: true });
    await Promise.all([folder, join(folder, 'packages/core')].map((path) => chmod(path, 0o777)));
    await chmod(dist, 0o555);
    expect(start(['scripts/run.cjs', 'start'], NOBODY)).toEqual({
      status: 1,
      stdout: '',
      stderr: `Mailstead installs packages and builds in its folder, but this user cannot write to ${dist}.\n`,
    });
    await rm(join(folder, 'packages/core'), { recursive: true });
    await chmod(folder, 0o755);
  });
});

describe('the options of npm start', () => {
  it('are --port and --help', () => {
    expect(readStartOptions([], 'npm start')).toEqual({});
    expect(readStartOptions(['--port', '8081'], 'npm start')).toEqual({ port: '8081' });
    expect(readStartOptions(['--port=65535'], 'npm start')).toEqual({ port: '65535' });
    expect(readStartOptions(['--port', '1', '--help'], 'npm start')).toEqual({ help: true });
  });

  it.each([['--port'], ['--port', '0'], ['--port', '65536'], ['--port', '80a'], ['--port='], ['--port', '-1']])(
    'refuse %s %s, which is no port',
    (...given) => {
      expect(readStartOptions(given, 'npm start')).toEqual({
        refusal: '--port needs a number from 1 to 65535, for instance: npm start -- --port 8081',
      });
    },
  );

  it('refuse a word that is no option', () => {
    expect(readStartOptions(['8081'], 'npm start')).toHaveProperty('refusal', expect.stringContaining('"8081"'));
    expect(readStartOptions(['--port', '8081', '--migrate-only'], 'npm start')).toHaveProperty('refusal');
  });
});
