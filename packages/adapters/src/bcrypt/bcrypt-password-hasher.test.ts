import type { AppError } from '@mailstead/core/errors';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import bcrypt from 'bcrypt';
import { BcryptPasswordHasher } from './bcrypt-password-hasher.js';

const COST = 6;
const notAborted = () => new AbortController().signal;

describe('the hashing of passwords', () => {
  it('alternates between the hashes of two partners when one of them sends too many', async () => {
    const hasher = new BcryptPasswordHasher(COST, 1);
    const ended: string[] = [];
    const codes: string[] = [];
    const hash = (scope: number, name: string) =>
      hasher.hash(allRowsOf(scope), name, notAborted()).then(
        () => void ended.push(name),
        (error: AppError) => void codes.push(error.code),
      );
    const flood = Array.from({ length: 60 }, (_, index) => hash(1, `flood ${index}`));
    const other = Array.from({ length: 16 }, (_, index) => hash(2, `other ${index}`));
    await Promise.all([...flood, ...other]);
    expect(ended.filter((name) => name.startsWith('other'))).toHaveLength(16);
    // 1 runs and 40 wait.
    expect(ended.filter((name) => name.startsWith('flood'))).toHaveLength(41);
    expect(codes).toEqual(Array.from({ length: 19 }, () => 'hashing_busy'));
    for (let index = 0; index < 16; index += 1) {
      const before = ended.slice(0, ended.indexOf(`other ${index}`));
      // The hash that already ran, and one hash of partner 1 before each hash of partner 2.
      expect(before.filter((name) => name.startsWith('flood')).length).toBeLessThanOrEqual(index + 2);
    }
  });

  it('creates hashes with the configured cost that bcrypt verifies', async () => {
    const hash = await new BcryptPasswordHasher(COST).hash('all', 'correct horse', notAborted());
    expect(hash).toMatch(/^\$2b\$06\$/);
    expect(await bcrypt.compare('correct horse', hash)).toBe(true);
  });

  it('tells the hash of a password from that of another one, under each name of bcrypt', async () => {
    const hasher = new BcryptPasswordHasher(COST);
    const hash = await hasher.hash('all', 'correct horse', notAborted());
    const isSame = async (former: string, password: string) =>
      (await hasher.hashInPlaceOf('all', former, password, notAborted())).isSame;
    for (const named of [hash, hash.replace('$2b', '$2a'), hash.replace('$2b', '$2y')]) {
      expect(await isSame(named, 'correct horse')).toBe(true);
      expect(await isSame(named, 'another one')).toBe(false);
    }
    expect(await isSame(`{SHA512-CRYPT}${hash}`, 'correct horse')).toBe(false);
  });

  it('lets a change of a password wait once for the comparison and the hash', async () => {
    const hasher = new BcryptPasswordHasher(COST, 1);
    const former = await hasher.hash('all', 'correct horse', notAborted());
    const ended: string[] = [];
    const change = hasher.hashInPlaceOf('all', former, 'another one', notAborted());
    const next = hasher.hash('all', 'a third one', notAborted());
    await Promise.all([change.then(() => ended.push('change')), next.then(() => ended.push('next'))]);
    expect(ended).toEqual(['change', 'next']);
    expect(await bcrypt.compare('another one', (await change).hash)).toBe(true);
  });
});
