import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dovecotVersionOf, installedDovecot, templatesFor } from '../render/dovecot-version.js';
import type { DovecotVersion, MailStackSettings } from '../settings/mail-stack-settings.js';
import { type Finding, toFinding } from './finding.js';

const AGAIN = 'Dovecot does not start with such a file';

/** Checks that settings and file are for the installed Dovecot, such as after an upgrade of Debian. */
export async function examineDovecotVersion(
  { dovecot }: Pick<MailStackSettings, 'dovecot'>,
  look: () => string | null = installedDovecot,
): Promise<Finding[]> {
  const finding = await toFinding('Dovecot and its file have different versions', async () => {
    const installed = look();
    if (installed === null) throw new Error('no Dovecot is installed on this host');
    const version = templatesFor(installed);
    if (version === null) throw new Error(`Dovecot ${installed} is installed, and there are templates for 2.3 and 2.4`);
    const rendered = dovecotVersionOf({ dovecot }, look);
    if (rendered !== version) {
      throw new Error(
        `dovecot.version is "${rendered}", and Dovecot ${installed} is installed. ${AGAIN}; set it to "auto", and render and copy again`,
      );
    }
    const path = join(dovecot.configDirectory, 'dovecot.conf');
    const found = versionOfFile(await readFile(path, 'utf8'));
    if (found !== version) {
      throw new Error(
        `${path} is for ${found}, and Dovecot ${installed} is installed. ${AGAIN}; render and copy again`,
      );
    }
    return `Dovecot ${installed} is installed, and its file is for ${version}.`;
  });
  return [finding];
}

/** Dovecot 2.4 requires this line, and 2.3 refuses it. */
function versionOfFile(text: string): DovecotVersion {
  return /^[ \t]*dovecot_config_version[ \t]*=/m.test(text) ? '2.4' : '2.3';
}
