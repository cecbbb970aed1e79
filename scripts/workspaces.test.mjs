// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.mjs';
import { FILES } from './repository-paths.mjs';
import { reachedBy, WORKSPACES } from './workspaces.mjs';

/**
 * @param {string} folder
 * @param {string[]} [uses]
 * @param {string[]} [testedWith]
 */
function workspace(folder, uses = [], testedWith = []) {
  return { folder, name: folder, uses, testedWith };
}

const CORE = workspace('packages/core');
const ADAPTERS = workspace('packages/adapters', ['packages/core']);
const STACK = workspace('packages/mail-stack', [], ['apps/api']);
const API = workspace('apps/api', ['packages/adapters', 'express'], ['packages/mail-stack']);
const PORTAL = workspace('apps/portal', [], ['apps/api']);
const ALL = [CORE, ADAPTERS, STACK, API, PORTAL];

describe('a change', () => {
  it.each([
    ['packages/core/src/quota.ts', ALL],
    ['packages/adapters/package.json', [ADAPTERS, STACK, API, PORTAL]],
    ['apps/api/src/main.ts', [STACK, API, PORTAL]],
    // The portal's tests start the API, but not what only the tests of the API start.
    ['packages/mail-stack/src/main.ts', [STACK, API]],
    ['apps/portal/src/home.tsx', [PORTAL]],
    ['scripts/test.mjs', ALL],
    ['package-lock.json', ALL],
    ['docs/decisions/0001-x.md', []],
    ['packages/core/README.md', []],
    ['README.md', []],
  ])('of %s reaches the workspaces whose tests need it', (path, reached) => {
    expect(reachedBy([path], ALL)).toEqual(reached.map(({ folder }) => folder));
  });

  it('of nothing reaches nothing', () => {
    expect(reachedBy([], ALL)).toEqual([]);
  });
});

describe('the package.json of a workspace', () => {
  it('names every app whose program its tests start', () => {
    const undeclared = WORKSPACES.flatMap(({ folder, name, uses, testedWith }) => {
      const programs = FILES.filter((file) => file.startsWith(`${folder}/`) && file.endsWith('.ts')).flatMap((file) => {
        const text = readFileSync(join(ROOT, file), 'utf8');
        return [...text.matchAll(/new (?:Child|MailsteadProcess)\(\s*'(\w+)'|apps\/(\w+)\/dist\//g)];
      });
      const names = new Set(programs.map(([, started, built]) => `@mailstead/${started ?? built}`));
      const declared = new Set([name, ...uses, ...testedWith]);
      return [...names].filter((needed) => !declared.has(needed)).map((needed) => `${folder} starts ${needed}`);
    });
    expect(undeclared).toEqual([]);
  });
});
