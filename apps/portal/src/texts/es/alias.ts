import type { Texts } from '../texts.js';

export const alias = {
  one: 'alias',
  many: 'alias',
  count: '{count, plural, one {# alias} other {# alias}}',
  search: 'Buscar por el comienzo de la dirección',
  noneYet: 'Todavía no hay alias',
  noneYetWhat:
    'Un alias pasa el correo de una dirección a un buzón. Un catch-all recibe toda dirección que no es otra cosa.',
  addFirst: 'Añadir el primer alias',
  noMatch: 'Ningún alias coincide',
  address: 'Dirección',
  deliversTo: 'Entrega a',
  added: 'Añadido',
  change: 'Cambiar',
  delete: 'Eliminar',
  hidden: 'un buzón que usted no ve',
  isCatchAll: '(catch-all)',
  add: 'Añadir alias',
  addTitle: 'Añadir un alias',
  partIsEnough: 'Basta con la parte antes de @{domain}',
  catchAll: 'Catch-all',
  catchAllWhat: 'Recibe el correo de toda dirección del dominio que no es un buzón ni un alias',
  destinationWhat: 'Un buzón; basta con la parte antes de @{domain}',
  deleted: '{address} ya no entrega a {destination}.',
  cannotUndo: 'Usted no ve adónde entrega, así que no puede deshacerlo.',
} satisfies Texts['alias'];
