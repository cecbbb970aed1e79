// @ts-check
// `npm run release`: checks that a release is whole, records what the tests of the next one compare with, and makes the
// list of parts and the image. `-- --check` only checks.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { main, Stop } from './main.mjs';
import { ROOT } from './processes.mjs';
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

await main(async () => {
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
  makeParts(scripts);
  makeImage(version);
  record(version);
  console.log(`Release ${version} is recorded in releases/${version}/. Commit it, and tag the commit v${version}.`);
  return 0;
});

/**
 * The last step. Leaves nothing when it fails, so that the command can be run again.
 * @param {string} version
 */
function record(version) {
  const folder = join(ROOT, 'releases', version);
  try {
    writeRecord(version, folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * @param {string} version
 * @param {string} folder
 */
function writeRecord(version, folder) {
  mkdirSync(folder);
  for (const name of ['mysql.sql', 'sqlite.sql']) {
    copyFileSync(join(ROOT, 'packages/adapters/schema', name), join(folder, name));
  }
  const document = readFileSync(join(ROOT, 'packages/client/generated/openapi.json'));
  writeFileSync(join(folder, 'openapi.json.gz'), gzipSync(document, { level: 9 }));
  const commit = git('rev-parse', 'HEAD');
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify({ version, commit }, null, 2)}\n`);
  run(process.execPath, ['scripts/test.mjs', 'apps/api/src/releases/recorded-release'], {
    MAILSTEAD_RECORD_RELEASE: version,
  });
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
