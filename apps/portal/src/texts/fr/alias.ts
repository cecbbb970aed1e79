import type { Texts } from '../texts.js';

export const alias = {
  one: 'alias',
  many: 'alias',
  count: '{count, plural, one {# alias} other {# alias}}',
  search: 'Chercher par le début de l’adresse',
  noneYet: 'Pas encore d’alias',
  noneYetWhat:
    'Un alias transmet les e-mails d’une adresse à une boîte aux lettres. Un catch-all reçoit toute adresse qui n’est rien d’autre.',
  addFirst: 'Ajouter le premier alias',
  noMatch: 'Aucun alias ne correspond',
  address: 'Adresse',
  deliversTo: 'Remet à',
  added: 'Ajouté',
  change: 'Modifier',
  delete: 'Supprimer',
  hidden: 'une boîte aux lettres que vous ne voyez pas',
  isCatchAll: '(catch-all)',
  add: 'Ajouter un alias',
  addTitle: 'Ajouter un alias',
  partIsEnough: 'La partie avant @{domain} suffit',
  catchAll: 'Catch-all',
  catchAllWhat: 'Reçoit les e-mails de toute adresse du domaine qui n’est ni une boîte aux lettres ni un alias',
  destinationWhat: 'Une boîte aux lettres ; la partie avant @{domain} suffit',
  deleted: '{address} ne remet plus à {destination}.',
  cannotUndo: 'Vous ne voyez pas sa destination : vous ne pouvez donc pas annuler cette action.',
} satisfies Texts['alias'];
