import { MessagesInFlight, type TrailItem } from '../messages-in-flight.js';

export const NOW = new Date('2026-11-21T08:00:00Z');
export const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21, 7, 7, 20 + seconds)).toISOString();
export const MX = 'postfix';
export const OUT = 'postfix-submission';

/** Lines of Postfix 3.7 and 3.10, which are the same but for the login in a refusal. */
export function line(seconds: number, service: string, text: string): string {
  return `Nov 21 07:07:${20 + seconds} mx1 ${service}[812]: ${text}`;
}
export const begun = (id: string, service = `${MX}/smtpd`, more = '') =>
  line(0, service, `${id}: client=mail.far.example[192.0.2.7]${more}`);
export const named = (id: string, messageId: string, name = MX) =>
  line(0, `${name}/cleanup`, `${id}: message-id=${messageId}`);
export const queued = (id: string, from: string, recipients = 1, name = MX) =>
  line(1, `${name}/qmgr`, `${id}: from=<${from}>, size=512, nrcpt=${recipients} (queue active)`);
export const tried = (id: string, to: string, status: string, service = `${MX}/lmtp`, dsn = '2.0.0') =>
  line(
    2,
    service,
    `${id}: to=<${to}>, relay=mx1[private/dovecot-lmtp], delay=0.3, delays=0.2/0/0.01/0.1, dsn=${dsn}, status=${status}`,
  );
export const removed = (id: string, name = MX) => line(3, `${name}/qmgr`, `${id}: removed`);
export const refused = (said: string, end: string, service = `${MX}/smtpd`, id = 'NOQUEUE') =>
  line(0, service, `${id}: reject: RCPT from far.example[192.0.2.7]: ${said}; ${end}`);

export function stepsOf(lines: readonly string[], messages = new MessagesInFlight('mx1.example.net')): TrailItem[] {
  return lines.flatMap((each) => messages.read(each, NOW));
}
export const shown = (items: TrailItem[]) =>
  items.map(({ direction, step, domain, recipient }) => `${direction} ${step} ${domain} ${recipient}`);
