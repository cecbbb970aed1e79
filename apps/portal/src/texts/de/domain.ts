import type { Texts } from '../texts.js';

export const status = {
  suspended: 'Gesperrt',
  partnerSuspended: 'Partner gesperrt',
  blocked: 'Versand blockiert',
  verified: 'Bestätigt',
  failed: 'Bestätigung fehlgeschlagen',
  pending: 'Wartet auf DNS',
  unverified: 'Noch nicht bestätigt',
} satisfies Texts['status'];

export const domain = {
  title: 'Die Domain',
  verification: 'Bestätigung',
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
