import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

const PROGRAM = `
import { createClient } from '@mailstead/client';
import { ApiProblem } from '@mailstead/client/api-problem';
import { pages } from '@mailstead/client/pages';

const client = createClient({ url: process.argv[2] ?? '', token: 'a-token' });
for await (const domain of pages(client, '/domains/', { q: 'a' })) {
  const created: Date = domain.created_at;
  console.log(domain.name, created.toISOString());
}
try {
  await client.GET('/domains/{domain_name}', { params: { path: { domain_name: 'absent.example' } } });
} catch (error) {
  if (error instanceof ApiProblem) console.log(error.code);
}
// @ts-expect-error the types are those of the API
await client.GET('/colours').catch(() => undefined);
`;

/** Packs a copy, because the package of this repository may be in use while it is built. */
describe('the tarball', () => {
  let folder: string;
  let elsewhere: string;
  let installed: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-tarball-'));
    const copy = join(folder, 'repository/packages/client');
    await cp(join(ROOT, 'packages/client'), copy, { recursive: true });
    for (const file of ['tsconfig.base.json', 'host-zone.d.ts']) {
      await cp(join(ROOT, file), join(folder, 'repository', file));
    }
    await symlink(join(ROOT, 'node_modules'), join(folder, 'repository/node_modules'));
    // What a removed source file leaves behind.
    await mkdir(join(copy, 'dist'), { recursive: true });
    await writeFile(join(copy, 'dist/removed.js.map'), '{"sources":["../src/removed.ts"]}');
    const pack = ['pack', '--silent', '--pack-destination', folder];
    await run('npm', pack, { cwd: copy });
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
      await run('npm', [...pack, '--ignore-scripts', join(ROOT, 'node_modules', name)], { cwd: folder });
    }
    elsewhere = join(folder, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'package.json'), '{"name":"elsewhere","private":true,"type":"module"}');
    const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz')).map((name) => join(folder, name));
    const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    await run('npm', ['install', ...quiet, ...tarballs], { cwd: elsewhere });
    installed = join(elsewhere, 'node_modules/@mailstead/client');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has no tests and no state of the build, and every map has its sources', async () => {
    const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(files.filter((file) => /\.test\.|tsbuildinfo|openapi\.json/.test(file))).toEqual([]);
    const maps = files.filter((file) => file.endsWith('.map'));
    expect(maps.length).toBeGreaterThan(10);
    for (const map of maps) {
      const { sources } = JSON.parse(await readFile(map, 'utf8')) as { sources: string[] };
      for (const source of sources) expect((await stat(resolve(dirname(map), source))).isFile()).toBe(true);
    }
    expect(files.filter((file) => file.endsWith('README.md'))).toHaveLength(1);
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])('compiles and runs in another project, with the types of the API (%s)', async (moduleResolution, module) => {
    await writeFile(join(elsewhere, 'use.ts'), PROGRAM);
    await writeFile(
      join(elsewhere, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          target: 'es2022',
          lib: ['es2023'],
          strict: true,
          module,
          moduleResolution,
          types: ['node'],
          typeRoots: [join(ROOT, 'node_modules/@types')],
        },
        include: ['use.ts'],
      }),
    );
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [compiler, '-p', elsewhere]).catch(({ stdout }: { stdout: string }) => {
      throw new Error(stdout);
    });
    const server = createServer((request, response) => {
      const isList = request.url?.startsWith('/domains/?') === true;
      response
        .writeHead(isList ? 200 : 404, { 'Content-Type': 'application/json' })
        .end(
          JSON.stringify(
            isList
              ? [{ id: 1, name: 'a.example', created_at: '2026-03-01T12:00:00.000' }]
              : { code: 'domain_not_found', detail: 'Domain not found' },
          ),
        );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stdout } = await run(process.execPath, [join(elsewhere, 'use.js'), url]);
    server.closeAllConnections();
    server.close();
    expect(stdout).toBe('a.example 2026-03-01T12:00:00.000Z\ndomain_not_found\n');
  });
});
