import { describeWith } from '../../../../scripts/needed-programs.mjs';
import { installedDovecot, templatesFor } from '../render/dovecot-version.js';

/** `describe` for tests that need the real mail servers. */
export const describeStack = await describeWith('the mail servers');

/** The version of Dovecot for which the files of a rig are rendered; that of Debian 12 where none is installed. */
export const DOVECOT = templatesFor(installedDovecot() ?? '') ?? '2.3';

/** The same for tests that begin with Dovecot 2.3: where 2.4 is installed, there is nothing to upgrade from. */
export const describeUpgrade: typeof describeStack =
  DOVECOT === '2.3' ? describeStack : (name, body) => describe.skip(`${name} (skipped: needs Dovecot 2.3)`, body);
