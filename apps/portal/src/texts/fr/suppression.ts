import type { Texts } from '../texts.js';

export const suppression = {
  title: 'Adresses bloquées',
  what: 'Des adresses qui ne fonctionnent pas ou ne veulent pas de courrier. Elles viennent ici d’elles-mêmes quand le courrier qui leur est envoyé revient ou est signalé comme spam, et peuvent être ajoutées à la main.',
  search: 'Chercher par le début de l’adresse',
  anyReason: 'Pour toute raison',
  showAny: 'Afficher toutes les raisons',
  one: 'adresse',
  many: 'adresses',
  address: 'Adresse',
  domain: 'Pas d’envoi depuis',
  reason: 'Pourquoi',
  since: 'Depuis',
  until: 'Jusqu’au',
  change: 'Modifier',
  all: 'tous les domaines',
  forGood: 'levée à la main',
  none: 'Aucune adresse n’est bloquée',
  noneWhat: 'Les e-mails sont envoyés à toutes les adresses.',
  addFirst: 'Ajouter les premières adresses',
  noMatch: 'Aucune adresse ne correspond',
  add: 'Ajouter des adresses',
  addTitle: 'Ne pas envoyer à ces adresses',
  addresses: 'Adresses',
  oneALine: 'Une par ligne, {most, number} au plus',
  note: 'Note',
  noteWhat: 'Pour vous-même (facultatif)',
  added:
    '{count, plural, one {# adresse est bloquée} many {# adresses sont bloquées} other {# adresses sont bloquées}} maintenant.',
  lift: 'Lever',
  liftOf: 'Lever {address}',
  lifted: 'L’envoi à {address} reprend.',
  notHere: 'Une plainte ne se lève pas ici.',
  byOperator: 'Seul l’opérateur lève une plainte.',
  lifting: 'La levée est en cours.',
  notLifted: 'Elle n’a pas pu être levée : levez-la de nouveau.',
} satisfies Texts['suppression'];

export const suppressed = {
  bounce: 'Elle n’existe pas',
  complaint: 'Elle a signalé du courrier comme spam',
  manual: 'Ajoutée à la main',
} satisfies Texts['suppressed'];
