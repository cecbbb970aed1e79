import type { Texts } from '../texts.js';

export const ask = {
  message: 'Was wurde aus einer Nachricht?',
  mailbox: 'Was wurde aus den Nachrichten des Postfachs?',
  about: 'Empfänger, oder Message-ID in < >',
} satisfies Texts['ask'];

export const message = {
  title: 'Nachrichten',
  mailbox: 'Postfach hier, das sie sandte oder bekam',
  anyState: 'In jedem Zustand',
  showAny: 'Alle Zustände zeigen',
  find: 'Suchen',
  one: 'Nachricht',
  many: 'Nachrichten',
  when: 'Wann',
  from: 'Von',
  to: 'An',
  what: 'Was daraus wurde',
  notice: 'eine Meldung eines Mailservers',
  others: 'andere Adressen von {domain}',
  times: '{count, number}-mal',
  none: 'Keine Nachricht bekannt',
  noneWhat: 'Nur Nachrichten der letzten Tage werden aufbewahrt, und nur solche, die diese Mailserver erreichten.',
  lastDay:
    'Das sind die Nachrichten der letzten 24 Stunden. Mit Empfänger, Postfach oder Message-ID werden alle aufbewahrten durchsucht.',
  behind:
    'Die Mailserver melden mit einer Verzögerung von {minutes, plural, one {# Minute} other {# Minuten}}: neuere Nachrichten sind noch nicht hier.',
  gaps: 'Nachrichten seit <time></time> können fehlen.',
  unseen:
    'Hier nicht zu sehen: E-Mails, die diese Server nie erreichten, was ein anderer Server mit einer angenommenen Nachricht tat, und was ein Mailprogramm mit ihr tat.',
  relayRefused: 'der Dienst, der E-Mails an andere Server zustellt, hat sie abgelehnt ({code})',
  failed: 'Nachrichten der letzten 24 Stunden, die nicht ankamen:',
  back: 'Alle Nachrichten',
  aMessage: 'Eine Nachricht',
  facts: 'Die Nachricht',
  steps: 'Was geschah',
  size: 'Größe',
  id: 'Message-ID',
  domain: 'Domain',
  said: 'Was der Server sagte',
} satisfies Texts['message'];

export const became = {
  accepted: 'Unterwegs',
  deferred: 'Wartet und wird wieder versucht',
  refused: 'Hier abgelehnt',
  stored: 'Im Postfach',
  forwarded: 'An einen anderen Server weitergesandt',
  relayed: 'Zur Zustellung übergeben',
  delivered: 'Vom Server des Empfängers angenommen',
  bounced: 'Nicht zugestellt und aufgegeben',
  complained: 'Zugestellt und als Spam gemeldet',
} satisfies Texts['became'];

export const step = {
  accepted: 'Sie wurde vom Absender angenommen.',
  deferred: 'Sie konnte noch nicht zugestellt werden. Sie wartet und wird wieder versucht.',
  refused: 'Sie wurde hier abgelehnt.',
  stored: 'Sie wurde in das Postfach gelegt.',
  forwarded: 'Sie wurde an einen anderen Server weitergesandt, der sie annahm.',
  relayed: 'Sie wurde dem Dienst übergeben, der E-Mails an andere Server zustellt.',
  delivered: 'Der Server des Empfängers nahm sie an.',
  bounced: 'Sie wurde aufgegeben: der Empfänger bekommt sie nicht.',
  complained: 'Der Empfänger meldete sie als Spam.',
} satisfies Texts['step'];

export const refusal = {
  unknown_recipient: 'diese Adresse gibt es hier nicht',
  recipient_suppressed: 'diese Adresse funktioniert nicht oder wünscht keine E-Mails',
  session_ended:
    'das E-Mail-Programm war angemeldet, bevor das Passwort oder das Postfach geändert wurde, und muss sich neu anmelden',
  expired: 'sie hatte zu lange gewartet',
  General: 'der Server des Empfängers lehnte sie ab',
  NoEmail: 'die Adresse gibt es nicht',
  MailboxFull: 'das Postfach des Empfängers ist voll',
  MessageTooLarge: 'sie ist zu groß für den Server des Empfängers',
  ContentRejected: 'der Server des Empfängers lehnte ihren Inhalt ab',
  AttachmentRejected: 'der Server des Empfängers lehnte ihren Anhang ab',
} satisfies Texts['refusal'];
