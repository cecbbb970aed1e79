import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { until } from '@mailstead/core/testing/until';
import { freePort } from '../../../../scripts/free-port.mjs';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const OWN = '@mailstead';

let image: string;
let files: string[];
const processes: ChildProcess[] = [];

/** Copies what the Dockerfile copies into the last stage. The links of node_modules are made as npm makes them. */
beforeAll(async () => {
  image = await mkdtemp(join(tmpdir(), 'mailstead-test-'));
  const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+) \S+$/gm)].map(([, from = '']) => from);
  for (const path of copied.filter((each) => each !== 'node_modules')) {
    await mkdir(dirname(join(image, path)), { recursive: true });
    await cp(join(ROOT, path), join(image, path), { recursive: true });
  }
  files = await readdir(image, { recursive: true });
  const modules = join(image, 'node_modules');
  await mkdir(join(modules, OWN), { recursive: true });
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (name !== OWN && name !== 'libphonenumber-js')
      await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  }
  await symlink('../tools/no-phone-numbers', join(modules, 'libphonenumber-js'));
  for (const group of ['packages', 'apps']) {
    for (const name of await readdir(join(image, group))) {
      await symlink(join('../..', group, name), join(modules, OWN, name));
    }
  }
});
afterAll(async () => {
  for (const each of processes) each.kill('SIGKILL');
  await rm(image, { recursive: true, force: true });
});

function run(program: string, environment: Record<string, string>, args: string[] = [], within: string[] = []) {
  const [command = '', ...rest] = [...within, process.execPath, join(image, program), ...args];
  const child = spawn(command, rest, {
    cwd: image,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  processes.push(child);
  return child;
}

/**
 * As docker-compose.yml runs it: a read-only root, writable /tmp and data, the user of the image without capabilities.
 * The folder of the image is below /tmp here, so it is made read-only by itself.
 */
const readOnly = (data: string): string[] => {
  const script = [
    'mount --make-rprivate /',
    'mount --bind /tmp /tmp',
    'mount --bind "$0" "$0"',
    // Before the next line: a mount has the flags of the one that it is made from.
    'mount --bind "$1" "$1"',
    'mount -o remount,bind,ro "$0"',
    'mount -o remount,bind,ro /',
    'shift',
    'exec setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"',
  ];
  return ['unshare', '--mount', 'sh', '-ec', script.join('\n'), image, data];
};

/** Only root mounts. */
const itAsRoot = process.getuid?.() === 0 ? it : it.skip;

describe('the files of the image', () => {
  it('contain no source and no test', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.filter((file) => /(^|\/)(src|testing)(\/|$)|\.test\.|(?<!\.d)\.tsx?$/.test(file))).toEqual([]);
  });

  it('are all that the API needs to serve: its database, the page and the documents', async () => {
    const port = await freePort();
    const dataDir = join(image, 'data');
    await mkdir(dataDir);
    run('apps/api/dist/main.js', { PORT: String(port), DATA_DIR: dataDir });
    const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    await until('the API of the image', async () => (await at('/health/ready').catch(() => null))?.status === 200);
    for (const path of ['/portal/', '/docs', '/openapi.json']) expect((await at(path)).status).toBe(200);
  });

  itAsRoot('may be read-only, as everything but /tmp and the data folder', async () => {
    const port = await freePort();
    const dataDir = join(image, 'data-of-a-container');
    await mkdir(dataDir);
    await chown(dataDir, 1_000, 1_000);
    await chmod(image, 0o755);
    const child = run('apps/api/dist/main.js', { PORT: String(port), DATA_DIR: dataDir }, [], readOnly(dataDir));
    const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    const isReady = async () => (await at('/health/ready').catch(() => null))?.status === 200;
    await until('the API of the container', async () => child.exitCode !== null || (await isReady()));
    expect(child.exitCode).toBeNull();
    expect((await at('/portal/')).status).toBe(200);
    const there = (await readFile(`/proc/${child.pid}/mountinfo`, 'utf8')).split('\n').map((line) => line.split(' '));
    expect(there.findLast(([, , , , place]) => place === '/')?.[5]).toMatch(/^ro\b/);
  });

  it.each(['worker', 'policyd', 'billing'])(
    'are all that the %s loads: it refuses its missing settings by name',
    async (app) => {
      const child = run(`apps/${app}/dist/main.js`, {});
      const said = child.stderr === null ? '' : await text(child.stderr);
      expect(said).toMatch(/[A-Z]+_(URL|TOKEN|KEY)/);
      expect(said).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find/);
    },
  );

  it.each(['backup', 'restore'])('are all that npm run %s loads: it says what it is called with', async (script) => {
    const child = run('scripts/run.cjs', {}, [script]);
    const said = child.stderr === null ? '' : await text(child.stderr);
    expect(said).toMatch(/--(to|from)/);
    expect(said).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find/);
  });

  it('are all that the mail stack needs to render its files', async () => {
    const child = run('packages/mail-stack/dist/main.js', {}, [
      'render',
      '--settings',
      join(image, 'packages/mail-stack/settings.example.json'),
      '--out',
      join(image, 'rendered'),
    ]);
    const said = child.stderr === null ? '' : await text(child.stderr);
    expect(said).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find|ENOENT/);
  });
});
