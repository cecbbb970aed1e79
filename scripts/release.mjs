// @ts-check
// `npm run release`: checks that a release is whole, records what the tests of the next one compare with, and makes the
// list of parts and the image. `-- --check` only checks.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { main, messageOf, Stop } from './main.mjs';
import { guardFolder, ROOT } from './processes.mjs';
import { changelogFaults, isNewer } from './release-checks.mjs';

/** The tests that compare the version, the changelog and the migrations. */
const TESTS = [
  'packages/core/src/release',
  'packages/adapters/src/database/migrations/changelog',
  'packages/adapters/src/database/migrations/former-process',
  'packages/adapters/src/database/migrations/new-installation',
  'apps/api/src/releases/former-document',
  'apps/api/src/docs/client-types',
];

/** What the tests of the next release read. */
const RECORDED = [
  'migrations.json',
  'mysql.sql',
  'openapi.json.gz',
  'release.json',
  'sqlite.sql',
  'statements-mariadb.json',
  'statements-sqlite.json',
];

await main(async () => {
  const commit = git('rev-parse', 'HEAD');
  const { version, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const faults = [
    ...changelogFaults(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version),
    ...readdirSync(join(ROOT, 'releases'))
      .filter((recorded) => !isNewer(version, recorded))
      .map((recorded) => `The version ${version} is not above the recorded release ${recorded}`),
    ...(git('status', '--porcelain') === '' ? [] : ['There are changes that are not committed']),
  ];
  if (faults.length > 0) throw new Stop(faults.join('\n'));
  run(process.execPath, ['scripts/test.mjs', ...TESTS]);
  if (process.argv.includes('--check')) return 0;
  const folder = folderToFill(version);
  fill(folder, { version, commit });
  makeParts(scripts);
  makeImage(version);
  if (git('rev-parse', 'HEAD') !== commit || git('status', '--porcelain') !== '')
    throw new Stop('The checkout has changed meanwhile; nothing was released.');
  publish(folder, version);
  console.log(`Release ${version} is recorded in releases/${version}/. Commit it, and tag the commit v${version}.`);
  return 0;
});

/**
 * A folder in one that git ignores, and that is removed when this process ends or is killed.
 * @param {string} version
 */
function folderToFill(version) {
  mkdirSync(join(ROOT, '.npm-test'), { recursive: true });
  const own = mkdtempSync(join(ROOT, '.npm-test/release-'));
  guardFolder(own);
  // Others may read the release, and not the folder that mkdtemp makes.
  const folder = join(own, version);
  mkdirSync(folder);
  return folder;
}

/**
 * @param {string} folder
 * @param {{ version: string, commit: string }} release
 */
function fill(folder, release) {
  for (const name of ['mysql.sql', 'sqlite.sql']) {
    copyFileSync(join(ROOT, 'packages/adapters/schema', name), join(folder, name));
  }
  const document = readFileSync(join(ROOT, 'packages/client/generated/openapi.json'));
  writeFileSync(join(folder, 'openapi.json.gz'), gzipSync(document, { level: 9 }));
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
  run(process.execPath, ['scripts/test.mjs', 'apps/api/src/releases/recorded-release'], {
    MAILSTEAD_RECORD_RELEASE: folder,
  });
  const missing = RECORDED.filter((name) => !readdirSync(folder).includes(name));
  if (missing.length > 0) throw new Stop(`${missing.join(' and ')} were not written; nothing was released.`);
}

/**
 * In one step, so that a killed run leaves no part of a release, which the next run would take for a recorded one.
 * @param {string} folder
 * @param {string} version
 */
function publish(folder, version) {
  try {
    renameSync(folder, join(ROOT, 'releases', version));
  } catch (error) {
    throw new Stop(`releases/${version} cannot be made: ${messageOf(error)}; nothing was released.`);
  }
}

/** @param {Record<string, string>} scripts of package.json */
function makeParts(scripts) {
  if (scripts.sbom === undefined) console.log('No list of parts was made: package.json has no script sbom.');
  else run('npm', ['run', '--silent', 'sbom']);
}

/** @param {string} version */
function makeImage(version) {
  // The program alone builds nothing: docker also needs its daemon.
  const builder = ['docker', 'podman'].find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0);
  if (builder !== undefined) return run(builder, ['build', '-t', `mailstead:${version}`, '.']);
  console.log(
    `No image was made: neither docker nor podman answers. Elsewhere: docker build -t mailstead:${version} .`,
  );
}

/** @param {...string} args */
function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [environment]
 */
function run(program, args, environment = {}) {
  const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...environment } });
  if (status !== 0) throw new Stop(`${[program, ...args].join(' ')} failed; nothing was released.`);
}
