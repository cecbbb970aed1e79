import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { until } from '@mailstead/core/testing/until';
import { freePort } from '../../../../scripts/free-port.mjs';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** What a checkout does not have. */
const MADE = ['.git', '.npm-test', 'data', 'dist', 'node_modules', 'coverage'];

interface NodeVersions {
  findNode(line: number): Promise<{ version: string; program: string }>;
}

describe('npm start in a fresh checkout', () => {
  let folder: string;
  let running: ChildProcess | null = null;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-first-'));
    const filter = (path: string) =>
      !relative(ROOT, path)
        .split('/')
        .some((name) => MADE.includes(name));
    await cp(ROOT, folder, { recursive: true, filter });
  });
  afterEach(async () => {
    if (running?.pid !== undefined && running.exitCode === null) process.kill(-running.pid, 'SIGKILL');
    running = null;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const has = (path: string) => existsSync(join(folder, path));

  /** Starts the service, waits until it answers, and stops it. @returns what it wrote to its standard error */
  async function startOnce(): Promise<string> {
    const port = await freePort();
    const child = spawn('npm', ['start', '--', '--port', String(port)], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    running = child;
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/portal/`).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until('the page', async () => child.exitCode !== null || (await answers()));
    expect(child.exitCode).toBeNull();
    const ended = once(child, 'close');
    process.kill(-Number(child.pid), 'SIGTERM');
    await ended;
    return errors;
  }

  it.each([12, 16])('says in one sentence that Node %i is too old, and touches nothing', async (line) => {
    const nodes = (await import(pathToFileURL(join(ROOT, 'scripts/node-versions.mjs')).href)) as NodeVersions;
    const { version, program } = await nodes.findNode(line);
    const before = await readdir(folder);
    const env = { PATH: `${dirname(program)}${delimiter}${process.env.PATH}` };
    const { status, stdout, stderr } = spawnSync('node', ['scripts/run.cjs', 'start'], { cwd: folder, env });
    expect([status, String(stdout)]).toEqual([1, '']);
    expect(String(stderr)).toMatch(/^Mailstead needs Node 20\.19 or later, and this is Node [\d.]+: [^\n]*\.\n$/);
    expect(String(stderr)).toContain(version.slice(1));
    expect(await readdir(folder)).toEqual(before);
  });

  it('installs no test tools, says what it does meanwhile, and serves the API and the page', async () => {
    const errors = await startOnce();
    expect(errors).toMatch(/^Installing packages … \d+ of \d+, 2 s$/m);
    expect(errors).toMatch(/^Building the service and the portal: done in \d+ s$/m);
    const tools = ['jest', '@swc/core', 'playwright-core', 'axe-core', 'supertest', 'autocannon', '@biomejs/biome'];
    expect(tools.filter((name) => has(`node_modules/${name}`))).toEqual([]);
  });

  it('removes nothing of an installation with test tools, when a package is missing', async () => {
    const lock = await readFile(join(folder, 'package-lock.json'), 'utf8');
    await writeFile(join(folder, 'node_modules/.mine'), '');
    const module = pathToFileURL(join(folder, 'scripts/prepare.mjs')).href;
    const args = ['--input-type=module', '-e', `await (await import('${module}')).prepare({ build: false })`];
    const { status } = spawnSync(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH } });
    expect([status, has('node_modules/jest'), has('node_modules/playwright-core')]).toEqual([0, true, true]);
    await rm(join(folder, 'node_modules/express'), { recursive: true });
    await rm(join(folder, 'node_modules/.mailstead-install'));
    await startOnce();
    const present = ['express', 'jest', 'playwright-core', '.mine'].filter((name) => has(`node_modules/${name}`));
    expect(present).toEqual(['express', 'jest', 'playwright-core', '.mine']);
    expect(await readFile(join(folder, 'package-lock.json'), 'utf8')).toBe(lock);
  });
});
