import type { Texts } from '../texts.js';

export const domain = {
  title: 'Le domaine',
  historyWhat: 'Chaque modification du domaine, de ses boîtes aux lettres et de ses alias apparaît ici.',
  verification: 'Vérification',
  verified: 'Vérifié',
  failed: 'Échec de la vérification',
  unverified: 'Pas encore vérifié',
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
