import type { Texts } from '../texts.js';

export const status = {
  sending: 'Envoi',
  receiving: 'Réception',
  both: 'Envoi et réception',
  sends: 'Envoie',
  receives: 'Reçoit',
  suspended: 'Suspendu',
  partnerSuspended: 'Partenaire suspendu',
  nearDaily: 'Proche de la limite du jour',
  nearMonthly: 'Proche de la limite du mois',
  nearTransfer: 'Proche du plafond de transfert',
  dnsAtRisk: 'DNS menacé',
  deadAddresses: 'Beaucoup d’adresses mortes',
  atRisk: 'Menacé',
  overLimit: 'Au-delà de sa limite, envoie encore',
  waitsUntil: 'Attend jusqu’à {time}',
  sendingWaits: 'L’envoi attend',
  mailWaits: 'Les e-mails entrants attendent',
  stopped: 'Envoi arrêté',
  stoppedByBounces: 'Arrêté : rebonds',
  stoppedByComplaints: 'Arrêté : plaintes',
  notVerified: 'Non vérifié',
  noMail: 'Aucun e-mail n’arrive',
  pending: 'En attente du DNS',
} satisfies Texts['status'];

export const lack = {
  mx: 'MX manquant',
  mx_mailboxes: 'MX de Google ou Microsoft',
  mx_elsewhere: 'MX ailleurs',
  spf: 'SPF manquant',
} satisfies Texts['lack'];
