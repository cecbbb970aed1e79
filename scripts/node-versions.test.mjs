// @ts-check
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode, otherLines, TESTS_ON_OTHER_NODES } from './node-versions.mjs';
import { FILES } from './repository-paths.mjs';

describe('the other versions of Node', () => {
  /** @type {string} */
  let cache;
  const registry = process.env.npm_config_registry;

  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'mailstead-nodes-'));
    // Nothing listens on port 9.
    process.env.npm_config_registry = 'http://127.0.0.1:9';
  });
  afterEach(async () => {
    if (registry === undefined) delete process.env.npm_config_registry;
    else process.env.npm_config_registry = registry;
    await rm(cache, { recursive: true, force: true });
  });

  /**
   * Writes a program into the cache.
   * @param {string} text
   */
  async function cached(text) {
    const name = `node-${process.platform}-${process.arch}`;
    const folder = join(cache, `node-24-${process.arch}`, 'node_modules', name, 'bin');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'node'), text);
    await chmod(join(folder, 'node'), 0o755);
    return join(folder, 'node');
  }

  it('run files that exist', () => {
    expect(TESTS_ON_OTHER_NODES.filter((file) => !FILES.includes(file))).toEqual([]);
  });

  it.each([
    ['v20.19.0', [24, 26]],
    ['v24.21.0', [26]],
    ['v26.10.0', [24]],
  ])('do not include the own one, %s', (version, lines) => {
    expect(otherLines(version)).toEqual(lines);
  });

  it('are taken from the cache without a network', async () => {
    const program = await cached('#!/bin/sh\necho v24.1.2\n');
    expect(await findNode(24, cache)).toEqual({ version: 'v24.1.2', program });
  });

  it('are reported in one line with the cause when they cannot be fetched, and leave nothing', async () => {
    const failure = await findNode(26, cache).catch((/** @type {unknown} */ error) => error);
    expect(String(failure)).toMatch(/^Error: npm cannot fetch node-\S+@26: .*ECONNREFUSED 127\.0\.0\.1:9$/);
    expect(await readdir(cache)).toEqual([]);
  });

  it('are reported when they do not run on this machine', async () => {
    await cached('not a program');
    await expect(findNode(24, cache)).rejects.toThrow('does not run on this machine');
  });
});
