import { execFileSync } from 'node:child_process';
import { type DovecotVersion, type MailStackSettings, SettingsError } from '../settings/mail-stack-settings.js';
import { linesThatShareProcesses, namesOfOtherVersion, SHARED_PROCESSES } from '../settings/own-lines.js';

/** Debian's folder for daemons is not in the PATH of every root shell. */
const PROGRAMS = ['dovecot', '/usr/sbin/dovecot'];
const HOW = 'Set it to "2.3" (Debian 12) or "2.4" (Debian 13)';

/**
 * Returns the version of Dovecot for which these settings are rendered: the one of the settings, or with `auto` the one
 * that is installed on this host.
 *
 * @throws SettingsError when none is installed, the installed one has no templates, or an own line does not fit to it.
 */
export function dovecotVersionOf(
  { dovecot }: Pick<MailStackSettings, 'dovecot'>,
  installed: () => string | null = installedDovecot,
): DovecotVersion {
  const version = dovecot.version === 'auto' ? versionFor(installed()) : dovecot.version;
  const problems = [
    ...namesOfOtherVersion(dovecot.extra, version),
    ...(dovecot.unsupported ? [] : linesThatShareProcesses(dovecot.extra, version)).map(
      (name) =>
        `dovecot.extra sets ${name}: ${SHARED_PROCESSES}; with dovecot.unsupported: true it is rendered all the same, and the doctor names it`,
    ),
  ];
  if (problems.length > 0) throw new SettingsError(problems);
  return version;
}

/** Returns what `dovecot --version` prints, such as `2.4.1-4 (7d8c0e5759)`; null when no Dovecot is installed. */
export function installedDovecot(): string | null {
  for (const program of PROGRAMS) {
    try {
      return execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      // Not in this place.
    }
  }
  return null;
}

/** Returns the version of the templates for an installed Dovecot; null when there are none. */
export function templatesFor(installed: string): DovecotVersion | null {
  const [version] = /^2\.[34](?=\.)/.exec(installed) ?? [];
  return version === '2.3' || version === '2.4' ? version : null;
}

function versionFor(installed: string | null): DovecotVersion {
  if (installed === null) {
    throw new SettingsError([`dovecot.version is "auto", and no Dovecot is installed on this host. ${HOW}`]);
  }
  const version = templatesFor(installed);
  if (version !== null) return version;
  throw new SettingsError([`dovecot.version is "auto", and the Dovecot of this host is ${installed}. ${HOW}`]);
}
