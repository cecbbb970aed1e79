import type { Config } from './config.js';

export const MAIL_SECURITIES = ['tls', 'starttls'] as const;
type MailSecurity = (typeof MAIL_SECURITIES)[number];

/** A server that mail programs connect to. */
export interface MailServer {
  host: string;
  port: number;
  security: MailSecurity;
}

export interface MailSettings {
  imap: MailServer | null;
  pop3: MailServer | null;
  submission: MailServer | null;
}

/** The encryption of each well-known port (RFC 8314). */
const SECURITY_OF_PORT: Readonly<Record<number, MailSecurity>> = {
  993: 'tls',
  995: 'tls',
  465: 'tls',
  143: 'starttls',
  110: 'starttls',
  587: 'starttls',
};

const SERVER =
  /^((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?):(\d{1,5})(?:\/(tls|starttls))?$/i;

export const MAIL_SERVER_RULE =
  'must be like mail.example.com:993, and with /tls or /starttls after a port that is not 993, 995, 465, 143, 110 or 587';

/** Reads `host:port` or `host:port/security`. @returns null when the text has another form */
export function parseMailServer(text: string): MailServer | null {
  const [, host = '', digits = '', stated] = SERVER.exec(text) ?? [];
  const port = Number(digits);
  const security = (stated?.toLowerCase() as MailSecurity | undefined) ?? SECURITY_OF_PORT[port];
  if (port < 1 || port > 65_535 || security === undefined) return null;
  return { host: host.toLowerCase(), port, security };
}

export function mailSettingsOf({ mailImap, mailPop3, mailSubmission }: Readonly<Config>): MailSettings {
  const serverOf = (text: string | null) => (text === null ? null : parseMailServer(text));
  return { imap: serverOf(mailImap), pop3: serverOf(mailPop3), submission: serverOf(mailSubmission) };
}
