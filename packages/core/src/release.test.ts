import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Package {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const packageOf = (folder: string) => JSON.parse(textOf(join(folder, 'package.json'))) as Package;

const { version } = packageOf('');
const folders = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(ROOT, group)).map((name) => `${group}/${name}`),
);

describe('the release', () => {
  it('is the version of each package, and of the packages that it uses', () => {
    const versions = folders.map(packageOf).flatMap(({ name, version: own, dependencies, devDependencies }) => [
      `${name} ${own}`,
      ...Object.entries({ ...dependencies, ...devDependencies })
        .filter(([used]) => used.startsWith('@mailstead/'))
        .map(([used, wanted]) => `${name} uses ${used} ${wanted}`),
    ]);
    expect(versions.filter((each) => !each.endsWith(` ${version}`))).toEqual([]);
  });

  it('is the one that docs/upgrading.md leads to, and the tag of the image in docker-compose.yml', () => {
    expect(textOf('docs/upgrading.md')).toMatch(`to release ${version}.`);
    expect(textOf('docker-compose.yml')).toMatch(`image: mailstead:${version}\n`);
  });

  it('changes without the version of the API, which programs read in X-API-Version', () => {
    expect(version).not.toBe('5.0.0');
    expect(textOf('apps/api/src/http/http.ts')).toMatch("API_VERSION = '5.0.0'");
  });
});
