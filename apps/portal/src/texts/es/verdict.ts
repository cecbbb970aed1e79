import type { Texts } from '../texts.js';

export const mail = {
  now: 'El correo ahora',
  inactive: 'Desactivado: nadie puede iniciar sesión y no se envía nada',
  switchOn: 'Se vuelve a activar más abajo.',
  maySend: 'Puede enviar',
  atRisk: 'Faltan registros DNS: todavía puede enviar, pero pronto ya no.',
  noMx: 'No llega correo: el dominio no tiene ningún registro MX que lleve aquí.',
  mxElsewhere: 'El correo llega primero a otros servidores.',
  mxMailboxes: 'Aquí no llega correo: llega a buzones de Google o Microsoft.',
  why: 'Por qué',
  whatNow: 'Qué hacer',
  mxFirst: 'El correo llega primero a {hosts}.',
  mxSay: 'Si desde allí se reenvía a este servicio, indíquelo una vez, junto a los registros DNS del dominio.',
  noSpf:
    'Los destinatarios pueden tratar el correo como spam: ningún registro SPF del dominio permite enviar a este servicio.',
  limitedBy: 'Esto viene del dominio superior {parent}.',
  causes: 'Causas',
  since: 'Desde: <time></time>.',
  causeSince: '{cause}, desde: <time></time>',
  setBy: '{cause} (establecido por {by})',
  which: 'Qué registros DNS faltan',
  endsAt: 'Termina solo: <time></time>.',
  also: 'Además: {reasons}.',
  whoMustAct: 'Quién debe actuar: {who}.',
  billing: 'facturación, cuando se pague la factura',
  operator: 'el operador',
  operatorYou: 'el operador (usted)',
  partner: 'el socio',
  you: 'usted',
  provider: 'su proveedor',
  ask: 'Pregunte a <b>{name}</b>',
  says: 'El operador escribe: {message}',
  isSuspended: 'Suspendido',
  isSuspendedForAbuse: 'Suspendido por abuso',
  isStopped: 'Detenido',
  isStoppedByBounces: 'Detenido porque rebotaron demasiados mensajes',
  isStoppedByReports: 'Detenido porque demasiados destinatarios marcaron su correo como spam',
  pausedBy: 'El relé no envía ahora el correo del socio.',
  bounced: 'Rebotaron {count, number} de {sent, number} mensajes entre el {from} y el {to}: <b>{rate}</b>.',
  reported:
    'Se marcaron como spam {count, number} de {sent, number} mensajes entre el {from} y el {to}: <b>{rate}</b>.',
  rateLimit: 'El límite es {limit}.',
  mendBounces: 'Antes de volver a enviar hay que quitar de las listas las direcciones que no existen.',
  mendReports: 'Antes de volver a enviar hay que quitar de las listas a los destinatarios que no pidieron el correo.',
  addresses: 'Ver las direcciones',
  usedOfDay: 'Se han usado {used, number} de {value, number} destinatarios de hoy.',
  usedOfMonth: 'Se han usado {used, number} de {value, number} destinatarios de este mes.',
  usedOfMailbox: 'Se han usado hoy {used, number} de {value, number} destinatarios de este buzón.',
  usedOfTransfer: 'Se han usado {used} de {value} de este mes.',
  ownLimit: 'Es su propio límite, por debajo del del operador.',
  ownLimitOfPartner: 'Es el propio límite del socio, por debajo del del operador.',
  ownLimitOfDomain: 'Es un límite fijado para este dominio.',
  raise: 'Subir el límite',
  changedBelow: 'El límite del buzón se cambia más abajo.',
  capReached: '{incoming}, porque se alcanzó el límite de transferencia de este mes',
} satisfies Texts['mail'];

export const stopped = {
  sender_not_allowed: 'La dirección del remitente no está permitida',
  domain_suspended: 'Suspendido, así que su correo espera',
  outbound_blocked: 'El envío está bloqueado',
  relay_paused: 'El envío está en pausa, así que el correo espera',
  not_verified: 'Sin verificar, así que no puede enviar',
  message_exceeds_limit: 'Ningún mensaje cabe en los límites',
  mailbox_limit: 'El buzón alcanzó su límite de hoy, así que su correo espera hasta las 00:00 UTC',
  daily_limit: 'Se alcanzó el límite de hoy, así que su correo espera hasta las 00:00 UTC',
  monthly_limit: 'Se alcanzó el límite de este mes, así que su correo espera hasta el día 1 del próximo mes',
  transfer_limit:
    'Se alcanzó el límite de transferencia de este mes, así que su correo espera hasta el día 1 del próximo mes',
  counter_overflow: 'El contador está lleno',
  restore_not_accepted: 'El servicio se restauró desde una copia de seguridad y se está comprobando',
} satisfies Texts['stopped'];

export const monitored = {
  mailbox_limit: 'Puede enviar; por encima del límite del buzón, que solo se vigila',
  daily_limit: 'Puede enviar; por encima del límite de hoy, que solo se vigila',
  monthly_limit: 'Puede enviar; por encima del límite de este mes, que solo se vigila',
  transfer_limit: 'Puede enviar; por encima del límite de transferencia, que solo se vigila',
} satisfies Texts['monitored'];

export const also = {
  sender_not_allowed: 'la dirección del remitente no está permitida',
  domain_suspended: 'suspendido',
  outbound_blocked: 'el envío está bloqueado',
  relay_paused: 'el envío está en pausa',
  not_verified: 'sin verificar',
  message_exceeds_limit: 'ningún mensaje cabe en los límites',
  mailbox_limit: 'se alcanzó el límite del buzón',
  daily_limit: 'se alcanzó el límite de hoy',
  monthly_limit: 'se alcanzó el límite de este mes',
  transfer_limit: 'se alcanzó el límite de transferencia de este mes',
  counter_overflow: 'el contador está lleno',
  restore_not_accepted: 'el servicio se restauró desde una copia de seguridad',
} satisfies Texts['also'];

export const suspended = {
  domain: 'Suspendido {cause}',
  partner: 'Suspendido, con todos los dominios de su socio, {cause}',
  parent: 'Suspendido, con su dominio superior, {cause}',
} satisfies Texts['suspended'];

export const blocked = {
  domain: 'Bloqueado {cause}',
  partner: 'Bloqueado, con todos los dominios de su socio, {cause}',
  parent: 'Bloqueado, con su dominio superior, {cause}',
} satisfies Texts['blocked'];

export const incoming = {
  accept: 'El correo entrante se acepta',
  defer: 'El correo entrante espera en sus remitentes y no se pierde',
  none: 'El correo entrante no se acepta hasta que el dominio se haya verificado una vez',
} satisfies Texts['incoming'];
