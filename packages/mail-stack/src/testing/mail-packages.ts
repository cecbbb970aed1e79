import { access, rm, writeFile } from 'node:fs/promises';
import { runProgram } from './run-program.js';

const PACKAGES = [
  'postfix',
  'postfix-mysql',
  'dovecot-core',
  'dovecot-imapd',
  'dovecot-lmtpd',
  'dovecot-mysql',
  'libsasl2-modules',
  'mariadb-server',
  'redis-server',
  'faketime',
  'openssl',
];
const POLICY = '/usr/sbin/policy-rc.d';

/**
 * Installs Postfix, Dovecot and MariaDB when they are missing and this process is root on Debian.
 *
 * @returns null, or a sentence with the reason why the mail servers cannot be tested on this machine.
 */
export async function mailServersUnavailable(): Promise<string | null> {
  if (process.platform !== 'linux' || !(await exists('/etc/debian_version'))) {
    return 'the mail servers are tested on Debian only';
  }
  if (process.getuid?.() !== 0) return 'only root can start Postfix and Dovecot';
  const missing = await missingPackages();
  if (missing.length === 0) return null;
  try {
    await install(missing);
  } catch (error) {
    return `${missing.join(', ')} could not be installed: ${error instanceof Error ? error.message.trim() : String(error)}`;
  }
  const still = await missingPackages();
  return still.length === 0 ? null : `${still.join(', ')} are still not there after their installation`;
}

async function missingPackages(): Promise<string[]> {
  // dpkg-query exits with 1 when one of the packages is unknown, so a shell ignores the exit status.
  const query = 'dpkg-query -W -f \'${Package} ${db:Status-Status}\\n\' "$@" 2>/dev/null || true';
  const installed = new Set((await runProgram('sh', ['-c', query, 'sh', ...PACKAGES])).split('\n'));
  return PACKAGES.filter((name) => !installed.has(`${name} installed`));
}

/** Installs packages without starting their services, because the rig starts its own servers. */
async function install(packages: string[]): Promise<void> {
  const ourPolicy = !(await exists(POLICY));
  if (ourPolicy) await writeFile(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const wait = ['-o', 'DPkg::Lock::Timeout=300'];
    await runProgram('sh', [
      '-c',
      'echo "postfix postfix/main_mailer_type select No configuration" | debconf-set-selections',
    ]);
    await runProgram('apt-get', [...wait, 'update', '-qq']);
    await runProgram('apt-get', [...wait, 'install', '-y', '-qq', '--no-install-recommends', ...packages], {
      ...process.env,
      DEBIAN_FRONTEND: 'noninteractive',
    });
  } finally {
    if (ourPolicy) await rm(POLICY, { force: true });
  }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
