import type { Texts } from '../texts.js';

export const mail = {
  now: 'E-Mail jetzt',
  inactive: 'Ausgeschaltet: Niemand kann sich anmelden, und nichts wird gesendet',
  switchOn: 'Unten wird es wieder eingeschaltet.',
  maySend: 'Darf senden',
  atRisk: 'DNS-Einträge fehlen: Der Versand ist noch erlaubt, bald aber nicht mehr.',
  noMx: 'Es kommen keine E-Mails an: Die Domain hat keinen MX-Eintrag, der hierher führt.',
  mxElsewhere: 'E-Mails kommen zuerst bei anderen Servern an.',
  mxMailboxes: 'Hier kommen keine E-Mails an: Sie kommen in Postfächern von Google oder Microsoft an.',
  why: 'Warum',
  whatNow: 'Was jetzt',
  mxFirst: 'E-Mails kommen zuerst bei {hosts} an.',
  mxSay:
    'Wenn sie von dort an diesen Dienst weitergegeben werden, geben Sie das einmal an, bei den DNS-Einträgen der Domain.',
  noSpf:
    'Empfänger halten die E-Mails vielleicht für Spam: Kein SPF-Eintrag der Domain erlaubt diesem Dienst zu senden.',
  limitedBy: 'Das kommt von der übergeordneten Domain {parent}.',
  causes: 'Ursachen',
  since: 'Seit <time></time>.',
  causeSince: '{cause}, seit <time></time>',
  setBy: '{cause} (gesetzt von {by})',
  which: 'Welche DNS-Einträge fehlen',
  endsAt: 'Das endet von selbst: <time></time>.',
  also: 'Außerdem: {reasons}.',
  whoMustAct: 'Wer handeln muss: {who}.',
  billing: 'die Abrechnung, sobald die Rechnung bezahlt ist',
  operator: 'der Betreiber',
  operatorYou: 'der Betreiber (Sie)',
  partner: 'der Partner',
  you: 'Sie',
  provider: 'Ihren Anbieter',
  ask: 'Fragen Sie <b>{name}</b>',
  says: 'Der Betreiber schreibt: {message}',
  isSuspended: 'Gesperrt',
  isSuspendedForAbuse: 'Gesperrt wegen Missbrauchs',
  isStopped: 'Angehalten',
  isStoppedByBounces: 'Angehalten, weil zu viele Nachrichten zurückkamen',
  isStoppedByReports: 'Angehalten, weil zu viele Empfänger ihre E-Mails als Spam gemeldet haben',
  pausedBy: 'Das Relay sendet zurzeit keine E-Mails des Partners.',
  bounced:
    '{count, number} von {sent, number} Nachrichten kamen zwischen dem {from} und dem {to} zurück: <b>{rate}</b>.',
  reported:
    '{count, number} von {sent, number} Nachrichten wurden zwischen dem {from} und dem {to} als Spam gemeldet: <b>{rate}</b>.',
  rateLimit: 'Die Grenze ist {limit}.',
  mendBounces:
    'Bevor die Domain wieder sendet, müssen Adressen, die es nicht gibt, aus ihren Verteilern entfernt werden.',
  mendReports:
    'Bevor die Domain wieder sendet, müssen Empfänger, die ihre E-Mails nicht wollten, aus ihren Verteilern entfernt werden.',
  addresses: 'Die Adressen ansehen',
  usedOfDay: '{used, number} von {value, number} Empfängern von heute sind verbraucht.',
  usedOfMonth: '{used, number} von {value, number} Empfängern dieses Monats sind verbraucht.',
  usedOfMailbox: '{used, number} von {value, number} Empfängern dieses Postfachs sind heute verbraucht.',
  usedOfTransfer: '{used} von {value} dieses Monats sind verbraucht.',
  ownLimit: 'Es ist Ihre eigene Grenze, unter der des Betreibers.',
  ownLimitOfPartner: 'Es ist die eigene Grenze des Partners, unter der des Betreibers.',
  ownLimitOfDomain: 'Es ist eine Grenze, die für diese Domain gesetzt wurde.',
  raise: 'Grenze anheben',
  changedBelow: 'Die Grenze des Postfachs wird unten geändert.',
  capReached: '{incoming}, weil die Übertragungsgrenze dieses Monats erreicht ist',
} satisfies Texts['mail'];

export const stopped = {
  sender_not_allowed: 'Die Absenderadresse ist nicht erlaubt',
  domain_suspended: 'Gesperrt, deshalb warten die E-Mails',
  outbound_blocked: 'Der Versand ist blockiert',
  relay_paused: 'Der Versand ist angehalten, deshalb warten die E-Mails',
  not_verified: 'Nicht bestätigt, deshalb ist der Versand nicht erlaubt',
  message_exceeds_limit: 'Keine Nachricht passt in die Grenzen',
  mailbox_limit: 'Die heutige Grenze des Postfachs ist erreicht. Die E-Mails warten bis 00:00 UTC',
  daily_limit: 'Die heutige Grenze ist erreicht. Die E-Mails warten bis 00:00 UTC',
  monthly_limit: 'Die Grenze dieses Monats ist erreicht. Die E-Mails warten bis zum 1. des nächsten Monats',
  transfer_limit:
    'Die Übertragungsgrenze dieses Monats ist erreicht. Die E-Mails warten bis zum 1. des nächsten Monats',
  counter_overflow: 'Der Zähler ist voll',
  restore_not_accepted: 'Der Dienst wurde aus einer Sicherung wiederhergestellt und wird geprüft',
} satisfies Texts['stopped'];

export const monitored = {
  mailbox_limit: 'Darf senden; über der Grenze des Postfachs, die nur überwacht wird',
  daily_limit: 'Darf senden; über der heutigen Grenze, die nur überwacht wird',
  monthly_limit: 'Darf senden; über der Grenze dieses Monats, die nur überwacht wird',
  transfer_limit: 'Darf senden; über der Übertragungsgrenze, die nur überwacht wird',
} satisfies Texts['monitored'];

export const also = {
  sender_not_allowed: 'die Absenderadresse ist nicht erlaubt',
  domain_suspended: 'gesperrt',
  outbound_blocked: 'der Versand ist blockiert',
  relay_paused: 'der Versand ist angehalten',
  not_verified: 'nicht bestätigt',
  message_exceeds_limit: 'keine Nachricht passt in die Grenzen',
  mailbox_limit: 'die Grenze des Postfachs ist erreicht',
  daily_limit: 'die heutige Grenze ist erreicht',
  monthly_limit: 'die Grenze dieses Monats ist erreicht',
  transfer_limit: 'die Übertragungsgrenze dieses Monats ist erreicht',
  counter_overflow: 'der Zähler ist voll',
  restore_not_accepted: 'der Dienst wurde aus einer Sicherung wiederhergestellt',
} satisfies Texts['also'];

export const suspended = {
  domain: 'Gesperrt {cause}',
  partner: 'Gesperrt, mit allen Domains des Partners, {cause}',
  parent: 'Gesperrt, mit der übergeordneten Domain, {cause}',
} satisfies Texts['suspended'];

export const blocked = {
  domain: 'Blockiert {cause}',
  partner: 'Blockiert, mit allen Domains des Partners, {cause}',
  parent: 'Blockiert, mit der übergeordneten Domain, {cause}',
} satisfies Texts['blocked'];

export const incoming = {
  accept: 'Eingehende E-Mails werden angenommen',
  defer: 'Eingehende E-Mails warten bei ihren Absendern und gehen nicht verloren',
  none: 'Eingehende E-Mails werden erst angenommen, wenn die Domain einmal bestätigt wurde',
} satisfies Texts['incoming'];
