// @ts-check
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianRoot, missingForRoot } from './debian-root.mjs';

const canMake = process.getuid?.() === 0 && existsSync('/usr/sbin/debootstrap');

describe('the root of Debian 13', () => {
  const { getuid } = process;
  const mirror = process.env.MAILSTEAD_TEST_DEBIAN_MIRROR;
  /** @type {string} */
  let cache;

  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'mailstead-roots-'));
  });
  afterEach(async () => {
    if (getuid !== undefined) process.getuid = getuid;
    if (mirror === undefined) delete process.env.MAILSTEAD_TEST_DEBIAN_MIRROR;
    else process.env.MAILSTEAD_TEST_DEBIAN_MIRROR = mirror;
    await rm(cache, { recursive: true, force: true });
  });

  it('needs root, and says so', async () => {
    process.getuid = () => 1000;
    expect(await missingForRoot()).toMatch(/^a root of Debian (is made by root only|needs Linux)$/);
  });

  (canMake ? it : it.skip)(
    'that cannot be made has its reason in one line, and leaves nothing, not even halves',
    async () => {
      // Nothing listens on port 9. The half is of a process that is no more.
      process.env.MAILSTEAD_TEST_DEBIAN_MIRROR = 'http://127.0.0.1:9/debian';
      await mkdir(join(cache, `trixie-${process.arch}.999999999`, 'etc'), { recursive: true });
      const failure = await debianRoot(cache).catch((/** @type {unknown} */ error) => error);
      expect(String(failure)).toMatch(/^Error: http:\/\/127\.0\.0\.1:9\/debian gives no root of Debian trixie: E: .*$/);
      expect(await readdir(cache)).toEqual([]);
    },
  );
});
