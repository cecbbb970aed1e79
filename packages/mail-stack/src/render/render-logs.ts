import { dirname } from 'node:path';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import type { FillFile, RenderedFile } from './render-mail-stack.js';

/** The only folder whose mode is rendered: others may have further files of the operator. */
const OWN_FOLDER = '/var/log/mailstead';

/** Renders who may read the logs, and how Dovecot's is rotated. Nothing with syslog, which does both. */
export function renderLogs(
  { dovecot: { logFile, configDirectory }, postfix: { logFile: postfixLog } }: MailStackSettings,
  file: FillFile,
): RenderedFile[] {
  const logs = [logFile, postfixLog].filter((log) => log !== null);
  if (logs.length === 0) return [];
  const logFolder = logs.some((log) => dirname(log) === OWN_FOLDER) ? OWN_FOLDER : null;
  const access = file('tmpfiles.d/mailstead.conf', 'everyone', ['logs/tmpfiles.conf'], {
    logFile,
    logFolder,
    postfixLog,
  });
  if (logFile === null) return [access];
  return [access, file('logrotate.d/mailstead', 'everyone', ['logs/logrotate'], { logFile, configDirectory })];
}
