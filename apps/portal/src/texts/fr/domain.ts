import type { Texts } from '../texts.js';

export const status = {
  suspended: 'Suspendu',
  partnerSuspended: 'Partenaire suspendu',
  blocked: 'Envoi bloqué',
  verified: 'Vérifié',
  failed: 'Échec de la vérification',
  pending: 'En attente du DNS',
  unverified: 'Pas encore vérifié',
} satisfies Texts['status'];

export const domain = {
  title: 'Le domaine',
  verification: 'Vérification',
  dnsRecords: 'Enregistrements DNS',
  mailboxes: 'Boîtes aux lettres',
  aliases: 'Alias',
  plan: 'Formule',
  kept: 'Conservation des e-mails',
  forEver: 'pour toujours',
  transfer: 'Transfert par mois',
  parent: 'Domaine parent',
  partner: 'Partenaire',
  added: 'Ajouté',
} satisfies Texts['domain'];
