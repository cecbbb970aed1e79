import type { Texts } from '../texts.js';

export const suppression = {
  title: 'Direcciones bloqueadas',
  what: 'Direcciones que no funcionan o no quieren correo. Llegan aquí por sí solas cuando el correo que se les envía vuelve o se denuncia como spam, y se pueden añadir a mano.',
  search: 'Buscar por el comienzo de la dirección',
  anyReason: 'Por cualquier motivo',
  showAny: 'Mostrar todos los motivos',
  one: 'dirección',
  many: 'direcciones',
  address: 'Dirección',
  domain: 'No se envía desde',
  reason: 'Por qué',
  since: 'Desde',
  until: 'Hasta',
  change: 'Cambiar',
  all: 'todos los dominios',
  forGood: 'levantada a mano',
  none: 'No hay ninguna dirección bloqueada',
  noneWhat: 'Se envía a todas las direcciones.',
  addFirst: 'Añadir las primeras direcciones',
  noMatch: 'Ninguna dirección coincide',
  add: 'Añadir direcciones',
  addTitle: 'No enviar a estas direcciones',
  addresses: 'Direcciones',
  oneALine: 'Una por línea, como máximo {most, number}',
  note: 'Nota',
  noteWhat: 'Para usted (opcional)',
  added:
    '{count, plural, one {# dirección está bloqueada} many {# direcciones están bloqueadas} other {# direcciones están bloqueadas}} ahora.',
  lift: 'Levantar',
  liftOf: 'Levantar {address}',
  lifted: 'Se vuelve a enviar a {address}.',
  notHere: 'Una queja no se levanta aquí.',
  byOperator: 'Solo el operador levanta una queja.',
  lifting: 'Se está levantando.',
  notLifted: 'No se ha podido levantar: levántela de nuevo.',
} satisfies Texts['suppression'];

export const suppressed = {
  bounce: 'No existe',
  complaint: 'Denunció correo como spam',
  manual: 'Añadida a mano',
} satisfies Texts['suppressed'];
