import type { MailSettings } from '../../../api/shapes.js';

/** What is typed into a mail program: the name of a setting, and its value. */
export type Setting = [name: string, value: string];

const SECURITY: Record<string, string> = { tls: 'SSL/TLS', starttls: 'STARTTLS' };

/** The settings of a mailbox, without its password. Empty when the operator has named no server. */
export function mailProgramSettings({ imap, pop3, submission }: MailSettings, email: string): Setting[] {
  const servers = [
    ['Incoming mail (IMAP)', imap],
    ['Incoming mail (POP3)', pop3],
    ['Outgoing mail (SMTP)', submission],
  ] as const;
  const settings = servers.flatMap(([name, server]): Setting[] =>
    server === null ? [] : [[name, `${server.host}, port ${server.port}, ${SECURITY[server.security]}`]],
  );
  return settings.length === 0 ? [] : [...settings, ['User name', email]];
}

/** A line for each setting. */
export function textOf(settings: Setting[]): string {
  return settings.map(([name, value]) => `${name}: ${value}`).join('\n');
}
