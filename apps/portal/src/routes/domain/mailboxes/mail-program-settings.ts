import type { MailSettings } from '../../../api/shapes.js';
import { asRead, isolated } from '../../../parts/unicode-name.js';
import { t } from '../../../texts/texts.js';

/** What is typed into a mail program: the name of a setting, and its value. */
export type Setting = [name: string, value: string];

const SECURITY: Record<string, string> = { tls: 'SSL/TLS', starttls: 'STARTTLS' };

function serverText({ host, port, security }: NonNullable<MailSettings['imap']>): string {
  return t('handover.server', { host, port: String(port), security: nameOfSecurity(security) });
}

/** How mail programs call it. */
export function nameOfSecurity(security: string): string {
  return SECURITY[security] ?? security;
}

/**
 * The settings of a mailbox, without its password. Empty when the operator has named no server.
 *
 * @param email as it is stored, which is the only form that logs in.
 */
export function mailProgramSettings({ imap, pop3, submission }: MailSettings, email: string): Setting[] {
  const servers = [
    [t('handover.imap'), imap],
    [t('handover.pop3'), pop3],
    [t('handover.smtp'), submission],
  ] as const;
  const settings = servers.flatMap(([name, server]): Setting[] =>
    server === null ? [] : [[name, serverText(server)]],
  );
  return settings.length === 0 ? [] : [...settings, [t('handover.userName'), email]];
}

/** Why the user name is not as people read it; null when it is. */
export function whyStored(email: string): string | null {
  const read = asRead(email);
  return read === null ? null : t('handover.whyStored', { email: isolated(read) });
}

/** A line for each setting. */
export function textOf(settings: Setting[]): string {
  return settings.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** The same with the reason of the user name, for people. */
export function explainedTextOf(settings: Setting[], email: string): string {
  const reason = whyStored(email);
  return reason === null ? textOf(settings) : `${textOf(settings)}\n\n${reason}`;
}
