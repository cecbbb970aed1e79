import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOFTWARE_VERSION } from './software-version.js';

interface Package {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const packageOf = (folder: string) => JSON.parse(textOf(join(folder, 'package.json'))) as Package;

/** What there is beside this release during an update. Rows and columns of a former release are no such thing. */
const FORMER = /\b(process(es)?|API|worker|daemon|service|answer|configuration)s? of ((the|a) former )?release\b/i;

const { version } = packageOf('');
const folders = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
);

/** The product's TypeScript, without tests. */
const product = folders.flatMap((folder) =>
  readdirSync(join(ROOT, folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.d)\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes('/testing/')),
);

describe('the release', () => {
  it('is the version of each package, and of the packages that it uses', () => {
    const versions = [...folders, 'tools/openapi']
      .map(packageOf)
      .flatMap(({ name, version: own, dependencies, devDependencies }) => [
        `${name} ${own}`,
        ...Object.entries({ ...dependencies, ...devDependencies })
          .filter(([used]) => used.startsWith('@mailstead/'))
          .map(([used, wanted]) => `${name} uses ${used} ${wanted}`),
      ]);
    const lock = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, { version: string }> };
    const locked = ['', ...folders, 'tools/openapi'].map(
      (folder) => `locked ${folder} ${lock.packages[folder]?.version}`,
    );
    expect([...versions, ...locked].filter((each) => !each.endsWith(` ${version}`))).toEqual([]);
  });

  it('is the one of `/health` and of the changelog, the one that docs/upgrading.md leads to, and the tag of the image in docker-compose.yml', () => {
    expect(SOFTWARE_VERSION).toBe(version);
    expect(textOf('docs/upgrading.md')).toMatch(`to release ${version}.`);
    expect(textOf('CHANGELOG.md')).toMatch(new RegExp(`^## \\[${version}\\] - `, 'm'));
    expect(textOf('docker-compose.yml')).toMatch(`image: mailstead:${version}\n`);
  });

  it('changes without the version of the API, which programs read in X-API-Version', () => {
    expect(version).not.toBe('5.0.0');
    expect(textOf('apps/api/src/http/http.ts')).toMatch("API_VERSION = '5.0.0'");
  });
});

describe('what is there for processes of a former release', () => {
  it('is removed in the release that `@until` names', () => {
    const ended = product.flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line, index) => {
          const end = /@until (\d+\.\d+)\b/.exec(line)?.[1];
          return end !== undefined && isReached(end, version) ? [`${file}:${index + 1} ended with ${end}`] : [];
        }),
    );
    expect(ended).toEqual([]);
  });

  it('says when it ends', () => {
    const comments = product
      // Migrations are never changed.
      .filter((file) => !file.includes('/database/migrations/'))
      .flatMap((file) => commentsOf(file).map((comment) => ({ file, comment })));
    const endless = comments.filter(({ comment }) => FORMER.test(comment) && !/@until \d+\.\d+\b/.test(comment));
    expect(endless).toEqual([]);
  });
});

function isReached(end: string, version: string): boolean {
  const [major = 0, minor = 0] = end.split('.').map(Number);
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Each comment as one line. */
function commentsOf(file: string): string[] {
  const text = textOf(file);
  const found = text.matchAll(/\/\*\*[\s\S]*?\*\/|(?:^ *\/\/.*\n)+/gm);
  return Array.from(found, ([comment]) => comment.replaceAll(/\s*\n\s*(?:\*\/|\*|\/\/)?\s*/g, ' ').trim());
}
