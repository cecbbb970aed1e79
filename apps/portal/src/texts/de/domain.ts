import type { Texts } from '../texts.js';

export const domain = {
  title: 'Die Domain',
  historyWhat: 'Jede Änderung der Domain, ihrer Postfächer und ihrer Aliasse erscheint hier.',
  verification: 'Bestätigung',
  verified: 'Bestätigt',
  failed: 'Bestätigung fehlgeschlagen',
  unverified: 'Noch nicht bestätigt',
  dnsRecords: 'DNS-Einträge',
  mailboxes: 'Postfächer',
  aliases: 'Aliasse',
  plan: 'Tarif',
  kept: 'E-Mails werden aufbewahrt',
  forEver: 'für immer',
  transfer: 'Übertragung im Monat',
  parent: 'Übergeordnete Domain',
  partner: 'Partner',
  added: 'Hinzugefügt',
} satisfies Texts['domain'];
