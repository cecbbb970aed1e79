/** Who delivers mail into mailboxes of its own, under the name that people know. */
export type MailboxProvider = 'Google' | 'Microsoft';

/**
 * The MX hosts of mailbox providers: a host is one of them when it has the name or is below it. Sources: "MX record
 * values for Google Workspace" (support.google.com/a/answer/174125); "External DNS records for Microsoft 365" and "How
 * SMTP DANE works" (learn.microsoft.com), and the MX records of outlook.com.
 */
const MX_HOSTS: readonly (readonly [name: string, provider: MailboxProvider])[] = [
  ['aspmx.l.google.com', 'Google'],
  ['smtp.google.com', 'Google'],
  ['googlemail.com', 'Google'],
  ['mail.protection.outlook.com', 'Microsoft'],
  ['olc.protection.outlook.com', 'Microsoft'],
  ['mx.microsoft', 'Microsoft'],
];

/** @param host in lower case, without a trailing dot. @returns null for a host that may be a filter */
export function mailboxProviderOf(host: string): MailboxProvider | null {
  return MX_HOSTS.find(([name]) => host === name || host.endsWith(`.${name}`))?.[1] ?? null;
}
