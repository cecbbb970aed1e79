import { hash } from 'node:crypto';
import { lineOf } from './log-line.js';

/** A session of IMAP or POP3 that ended. */
export interface EndedSession {
  /** The mailbox's domain. */
  domain: string;
  /** What Dovecot sent to the client. */
  bytes: number;
  direction: 'out';
  /** A hash of the log line. Its time, process and session identify it. */
  id: string;
}

// The numbers are the last ones of the line. The text before them may have words of the client.
const SESSION = lineOf(
  'imap|pop3',
  String.raw`(?:Disconnected|Connection closed|Logged out)\b.* in=\d+ out=([1-9]\d{0,11})`,
);

/**
 * Reads one line of Dovecot's log in the format that the mail stack renders with `dovecot.countDownloads` (`in=… out=…`
 * at its end).
 *
 * @returns null for every other line, and for a session that sent nothing.
 */
export function readEndedSession(line: string): EndedSession | null {
  const [, domain, bytes] = SESSION.exec(line) ?? [];
  if (domain === undefined) return null;
  const id = `session:${hash('sha256', line, 'base64url')}`;
  return { domain: domain.toLowerCase(), bytes: Number(bytes), direction: 'out', id };
}
