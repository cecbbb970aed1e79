// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { aptInstall, FOLDERS } from './service-programs.mjs';

/**
 * @typedef {'PHP' | 'Python' | 'Galera' | 'Redis Sentinel' | 'the cluster' | 'the alert rules' | 'the mail servers' |
 *   'the spam filter' | 'the repeated hour'} Need
 */

// A node that joins a cluster copies the data with the programs of the last two.
const GALERA = { 'galera-4': 'libgalera_smm.so', 'mariadb-server': 'wsrep_sst_rsync', rsync: 'rsync' };
const SENTINEL = { 'redis-sentinel': 'redis-sentinel' };

/**
 * What tests need besides MariaDB and Redis: Debian's packages, each with a program or library of it.
 * @type {Record<Need, Record<string, string>>}
 */
const NEEDS = {
  'the cluster': { haproxy: 'haproxy', ...GALERA, ...SENTINEL },
  PHP: { 'php-cli': 'php' },
  Python: { python3: 'python3' },
  Galera: GALERA,
  // Only promtool runs; nothing starts the server.
  'the alert rules': { prometheus: 'promtool' },
  'Redis Sentinel': SENTINEL,
  'the mail servers': {
    postfix: 'postfix',
    'postfix-mysql': 'postfix-mysql.so',
    'dovecot-core': 'dovecot',
    'dovecot-imapd': 'imap',
    'dovecot-lmtpd': 'lmtp',
    'dovecot-pop3d': 'pop3',
    'dovecot-mysql': 'libdriver_mysql.so',
    'dovecot-sieve': 'lib90_sieve_plugin.so',
    'libsasl2-modules': 'libplain.so',
    faketime: 'faketime',
    openssl: 'openssl',
    logrotate: 'logrotate',
  },
  'the spam filter': { rspamd: 'rspamd' },
  'the repeated hour': { libfaketime: 'libfaketimeMT.so.1' },
};
const TRIPLET = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`;
const LIBRARIES = [
  '/usr/lib/galera',
  '/usr/lib64/galera-4',
  '/usr/lib/postfix',
  '/usr/lib/dovecot',
  '/usr/lib/dovecot/modules',
  `/usr/lib/${TRIPLET}/sasl2`,
  `/usr/lib/${TRIPLET}/faketime`,
];

/**
 * Returns the path of a program or library; undefined when it is missing.
 * @param {string} name
 */
export function pathOf(name) {
  return [...(process.env.PATH ?? '').split(':'), ...FOLDERS, ...LIBRARIES]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/**
 * Returns the packages of missing programs, each with its program.
 * @param {Need} need
 * @param {(name: string) => string | undefined} look
 */
const missingPackages = (need, look = pathOf) =>
  Object.entries(NEEDS[need]).filter(([, program]) => look(program) === undefined);

/**
 * Returns a sentence that names the missing programs and their packages; null when none is missing.
 * @param {Need} need
 * @param {(name: string) => string | undefined} look
 */
export function missingPrograms(need, look = pathOf) {
  const missing = missingPackages(need, look);
  if (missing.length === 0) return null;
  const [names, packages] = [missing.map(([, program]) => program), missing.map(([name]) => name)];
  return `${names.join(', ')} of ${need} not found: apt-get install ${packages.join(' ')}`;
}

/**
 * Installs missing programs as root on Debian. Returns the sentence of `missingPrograms` for what is still missing.
 * @param {Need} need
 */
export async function installPrograms(need) {
  // Only what is missing: apt would upgrade the others.
  const packages = missingPackages(need).map(([name]) => name);
  if (packages.length > 0 && isDebianRoot()) await aptInstall(packages);
  return missingPrograms(need);
}

function isDebianRoot() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/**
 * `describe` for tests that need programs, called at the top of a file, so that a missing program is named before any
 * set-up. As root on Debian they are installed. Otherwise the slow tests, and all tests when `CI` is set, fail with the
 * sentence of `missingPrograms`; quick tests are skipped with it in their name.
 * @param {Need} need
 * @returns {Promise<(name: string, body: () => void) => void>}
 */
export async function describeWith(need) {
  const isImpossible = need === 'the mail servers' && !isDebianRoot();
  const missing =
    (await installPrograms(need)) ?? (isImpossible ? 'the mail servers run as root on Debian only' : null);
  // Not the global itself, which a command without jest lacks.
  if (missing === null) return (name, body) => describe(name, body);
  if (process.env.CI === 'true' || process.env.MAILSTEAD_TESTS === 'slow') throw new Error(missing);
  return (name, body) => describe.skip(`${name} (skipped: ${missing})`, body);
}
