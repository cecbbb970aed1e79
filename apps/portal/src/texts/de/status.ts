import type { Texts } from '../texts.js';

export const status = {
  sending: 'Versand',
  receiving: 'Empfang',
  both: 'Versand und Empfang',
  sends: 'Sendet',
  receives: 'Empfängt',
  suspended: 'Gesperrt',
  partnerSuspended: 'Partner gesperrt',
  nearDaily: 'Nahe der Tagesgrenze',
  nearMonthly: 'Nahe der Monatsgrenze',
  nearTransfer: 'Nahe der Übertragungsgrenze',
  dnsAtRisk: 'DNS gefährdet',
  deadAddresses: 'Viele tote Adressen',
  atRisk: 'Gefährdet',
  overLimit: 'Über der Grenze, sendet weiter',
  waitsUntil: 'Wartet bis {time}',
  sendingWaits: 'Versand wartet',
  mailWaits: 'Eingehende E-Mails warten',
  stopped: 'Versand gestoppt',
  stoppedByBounces: 'Gestoppt: unzustellbare E-Mails',
  stoppedByComplaints: 'Gestoppt: Beschwerden',
  notVerified: 'Nicht bestätigt',
  noMail: 'E-Mails kommen nicht an',
  pending: 'Wartet auf DNS',
} satisfies Texts['status'];

export const lack = {
  mx: 'MX fehlt',
  mx_mailboxes: 'MX von Google oder Microsoft',
  mx_elsewhere: 'MX woanders',
  spf: 'SPF fehlt',
} satisfies Texts['lack'];
